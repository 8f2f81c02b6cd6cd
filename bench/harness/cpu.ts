import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

const TASKSET = 'taskset'
export const SERVER_CORE = 0
export const LOAD_CORE = 1

/** Linux reports process times in ticks of USER_HZ, which is 100 on every architecture. */
const US_PER_TICK = 10_000
const PARENT_FIELD = 1
const UTIME_FIELD = 11
/** Of children that have ended. */
const CHILDREN_UTIME_FIELD = 13
const NS_PER_US = 1_000

/** CPU time of a whole process, all threads; undefined where there is no /proc. */
export function findCpuUs(pid: number): number | undefined {
  const fields = findStat(pid)
  return fields && usOf(fields, UTIME_FIELD)
}

/** The same with all of its children, also those that have ended. */
export function findFamilyCpuUs(pid: number): number | undefined {
  const own = findStat(pid)
  if (!own) return undefined
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => findStat(Number(name)))
    .filter((fields) => Number(fields?.[PARENT_FIELD]) === pid)
  const living = children.reduce((total, fields = []) => total + usOf(fields, UTIME_FIELD), 0)
  return living + usOf(own, UTIME_FIELD) + usOf(own, CHILDREN_UTIME_FIELD)
}

function findStat(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The command stands in brackets and may contain blanks: fields count from behind it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/** In user mode and, in the next field, in the kernel. */
const usOf = (fields: readonly string[], field: number): number =>
  (Number(fields[field]) + Number(fields[field + 1])) * US_PER_TICK

/** CPU time of each thread of a process; none where the kernel does not tell. */
export function threadUs(pid: number): ReadonlyMap<string, number> {
  try {
    const tasks = `/proc/${pid}/task`
    const read = (id: string) => Number(readFileSync(`${tasks}/${id}/schedstat`, 'latin1').split(' ')[0])
    return new Map(readdirSync(tasks).map((id) => [id, read(id) / NS_PER_US]))
  } catch {
    return new Map()
  }
}

/** Time that a core was busy since boot, for any process (time stolen by the host included). */
export function findCoreBusyUs(core: number): number | undefined {
  try {
    const line = new RegExp(`^cpu${core} (.*)$`, 'm').exec(readFileSync('/proc/stat', 'latin1'))?.[1]
    const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = (line ?? '')
      .split(' ')
      .map(Number)
    return (user + nice + system + irq + softIrq + steal) * US_PER_TICK
  } catch {
    return undefined
  }
}

/** How many cores a server gets. The second one is shared with the load. */
export type Cores = 1 | 2

/** The words that put a command on a core; none where that cannot be done. */
export type Pinning = { prefix: readonly string[]; note: string }

/** Puts this process, which makes the load, on its own core and says how servers get onto theirs. */
export function pinCores(cores: Cores = 1): Pinning {
  if (availableParallelism() < 2)
    return { prefix: [], note: 'one core only: server and load share it, figures are not to be used' }
  const pinned = spawnSync(TASKSET, ['-a', '-cp', String(LOAD_CORE), String(process.pid)])
  if (pinned.error || pinned.status !== 0)
    return { prefix: [], note: 'no taskset here: nothing is pinned to a core, expect noise' }
  if (cores === 2)
    return {
      prefix: [TASKSET, '-c', `${SERVER_CORE},${LOAD_CORE}`],
      note: `servers on cores ${SERVER_CORE} and ${LOAD_CORE}, load on core ${LOAD_CORE}: judge by the busiest thread`,
    }
  const prefix = [TASKSET, '-c', String(SERVER_CORE)]
  return { prefix, note: `servers on core ${SERVER_CORE}, load on core ${LOAD_CORE}` }
}
