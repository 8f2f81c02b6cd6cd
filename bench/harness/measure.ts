import { setTimeout as pass } from 'node:timers/promises'
import { findCoreBusyUs, findCpuUs, LOAD_CORE, SERVER_CORE, threadUs } from './cpu.ts'
import type { ServerProcess } from './fleet.ts'
import type { Load } from './load.ts'

/** Figures of one target in one round. */
export type Measurement = {
  perSecond: number
  /** CPU time that the server's process took for a request; undefined where it cannot be read. */
  cpuUs: number | undefined
  /** The same of the thread that took most: however many cores there are, no more requests than it can take. */
  busiestUs: number | undefined
  p50Ms: number
  p99Ms: number
  /** Shares of a core. A server well below 1 was not the bottleneck. */
  serverShare: number | undefined
  loadShare: number
  /** Share of each core that something else took: interrupts, other processes, the host. */
  othersOnServerCore: number | undefined
  othersOnLoadCore: number | undefined
  errors: Record<string, number>
}

export const WARM_UP_MS = 500

const DEATH_NOTICE_MS = 100

/** Lets a server run for as long as `work` takes. */
export async function awake<T>(server: ServerProcess, work: () => Promise<T>): Promise<T> {
  server.resume()
  try {
    return await work()
  } catch (error) {
    // A dead process explains more than a refused connection; its exit is reported a moment later.
    await pass(DEATH_NOTICE_MS)
    server.requireAlive()
    throw error
  } finally {
    server.pause()
    server.forgetLog()
  }
}

/** What the load sees in this time, and what it costs the server. */
export async function measureLoad(server: ServerProcess, load: Load, ms: number): Promise<Measurement> {
  const before = readUsage(server.pid)
  const { requests, elapsedMs, ...seen } = await load.count(ms)
  const used = usedSince(before, readUsage(server.pid))
  if (requests === 0) throw new Error(`${server.name}: no good reply, ${JSON.stringify(seen.errors)}`)
  const share = (us: number | undefined) => (us === undefined ? undefined : us / (elapsedMs * 1000))
  return {
    ...seen,
    perSecond: requests / (elapsedMs / 1000),
    cpuUs: used.serverUs === undefined ? undefined : used.serverUs / requests,
    busiestUs: used.busiestUs === undefined ? undefined : used.busiestUs / requests,
    serverShare: share(used.serverUs),
    loadShare: used.loadUs / (elapsedMs * 1000),
    othersOnServerCore: share(difference(used.serverCoreUs, used.serverUs)),
    othersOnLoadCore: share(difference(used.loadCoreUs, used.loadUs)),
  }
}

type Usage = {
  serverUs: number | undefined
  threads: ReadonlyMap<string, number>
  loadUs: number
  serverCoreUs: number | undefined
  loadCoreUs: number | undefined
}

function readUsage(pid: number): Usage {
  const own = process.cpuUsage()
  return {
    serverUs: findCpuUs(pid),
    threads: threadUs(pid),
    loadUs: own.user + own.system,
    serverCoreUs: findCoreBusyUs(SERVER_CORE),
    loadCoreUs: findCoreBusyUs(LOAD_CORE),
  }
}

function usedSince(before: Usage, after: Usage): Omit<Usage, 'threads'> & { busiestUs: number | undefined } {
  const perThread = [...after.threads].map(([id, us]) => us - (before.threads.get(id) ?? 0))
  return {
    busiestUs: perThread.length === 0 ? undefined : Math.max(...perThread),
    serverUs: difference(after.serverUs, before.serverUs),
    loadUs: after.loadUs - before.loadUs,
    serverCoreUs: difference(after.serverCoreUs, before.serverCoreUs),
    loadCoreUs: difference(after.loadCoreUs, before.loadCoreUs),
  }
}

/** Share of a core that a server takes without requests. */
export async function idleShare({ pid }: ServerProcess, ms: number): Promise<number | undefined> {
  const beforeUs = findCpuUs(pid)
  await pass(ms)
  const usedUs = difference(findCpuUs(pid), beforeUs)
  return usedUs === undefined ? undefined : usedUs / (ms * 1000)
}

/** Never negative: the kernel's books for processes and cores are a tick apart at times. */
function difference(more: number | undefined, less: number | undefined): number | undefined {
  return more === undefined || less === undefined ? undefined : Math.max(0, more - less)
}
