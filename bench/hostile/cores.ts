import { monitorEventLoopDelay } from 'node:perf_hooks'
import { findCoreBusyUs, findCpuUs, LOAD_CORE, SERVER_CORE } from '../harness/cpu.ts'

/** Shares of a core, 0..1, and how late the loop of this process was: a buyer here waits for all of them. */
export type Cores = {
  service: number
  others: number
  /** This process: attackers, buyers and facilitator. */
  load: number
  /** The chain, and whatever else runs on its core. */
  besideLoad: number
  loopP99Ms: number
}

const NS_PER_MS = 1e6

/** Begins to watch; the function it returns ends that. */
export function watchCores(servicePid: number): () => Cores {
  const read = () => ({
    atUs: performance.now() * 1000,
    service: findCpuUs(servicePid) ?? Number.NaN,
    serverCore: findCoreBusyUs(SERVER_CORE) ?? Number.NaN,
    load: findCpuUs(process.pid) ?? Number.NaN,
    loadCore: findCoreBusyUs(LOAD_CORE) ?? Number.NaN,
  })
  const loop = monitorEventLoopDelay({ resolution: 5 })
  loop.enable()
  const before = read()
  return () => {
    loop.disable()
    const after = read()
    const share = (what: Exclude<keyof typeof before, 'atUs'>) =>
      (after[what] - before[what]) / (after.atUs - before.atUs)
    const [service, load] = [share('service'), share('load')]
    return {
      service,
      others: share('serverCore') - service,
      load,
      besideLoad: share('loadCore') - load,
      loopP99Ms: loop.percentile(99) / NS_PER_MS,
    }
  }
}
