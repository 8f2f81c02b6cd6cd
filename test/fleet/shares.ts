import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { findCoreBusyUs, findCpuUs, findFamilyCpuUs } from '../../bench/harness/cpu.ts'
import type { Fleet } from './fleet.ts'
import type { Member } from './member.ts'
import type { InstantMoney } from './shop-world.ts'

const US_PER_TICK = 10_000
/** Of the line of all cores in /proc/stat. */
const IOWAIT = 5
/** Time that the host of a virtual machine gave to others. */
const STOLEN = 8

/** Who took how much of a core since it was asked last, in words: what is full when a fleet falls behind. */
export function openShares(fleet: Fleet, { server }: InstantMoney): () => string {
  const ofAll = (members: readonly Member[]) =>
    members.reduce((total, member) => total + (findCpuUs(member.pid()) ?? 0), 0)
  const cores = Array.from({ length: availableParallelism() }, (_, core) => core)
  const read = () => ({
    apis: ofAll(fleet.apis),
    engines: ofAll(fleet.engines),
    PostgreSQL: findFamilyCpuUs(fleet.postgres.pid()) ?? 0,
    Redis: findFamilyCpuUs(fleet.redis.pid()) ?? 0,
    sandbox: findCpuUs(fleet.world.pid()) ?? 0,
    'facilitator and node': findCpuUs(server.pid) ?? 0,
    buyers: findCpuUs(process.pid) ?? 0,
    'all of the machine': cores.reduce((total, core) => total + (findCoreBusyUs(core) ?? 0), 0),
    'nobody, for want of the disk': machineUs(IOWAIT),
    'stolen by its host': machineUs(STOLEN),
  })
  let [before, atMs] = [read(), performance.now()]
  return () => {
    const [after, nowMs] = [read(), performance.now()]
    const elapsedUs = (nowMs - atMs) * 1000
    const names = Object.keys(after) as (keyof typeof after)[]
    const told = names.map(
      (name) => `${name} ${Math.round(((after[name] - before[name]) / elapsedUs) * 100)} %`,
    )
    before = after
    atMs = nowMs
    return `of a core: ${told.join(', ')}`
  }
}

function machineUs(field: number): number {
  const fields = (/^cpu .*$/m.exec(readFileSync('/proc/stat', 'latin1'))?.[0] ?? '').split(/ +/)
  return Number(fields[field] ?? 0) * US_PER_TICK
}
