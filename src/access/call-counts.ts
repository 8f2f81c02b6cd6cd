import type { Clock } from '../core/time/clock.ts'
import { DAY_MS } from '../core/time/time.ts'
import type { DemoCounters } from '../ledger/ports/store.ts'

/** Calls of the current UTC day by whom they are counted for. */
export type CallCounts = {
  used(key: string): number
  /** How many have a count. */
  size(): number
  /** One call for each of the keys, or undefined where one of them has reached its limit. */
  take(limits: readonly (readonly [key: string, limit: number])[]): TakenCall | undefined
}
export type TakenCall = { spend(): Promise<void>; giveBack(): void }

type Options = { clock: Clock; counters: DemoCounters }

/**
 * Counts in memory, so that of two requests racing for the last call exactly one wins, and writes before a reply
 * leaves, so that a restart gives nothing back. Calls of one turn of the event loop share one durable write.
 */
export async function createCallCounts({ clock, counters }: Options): Promise<CallCounts> {
  const today = () => Math.floor(clock.now() / DAY_MS)
  let day = today()
  let counts = new Map(await counters.load(day))
  const writer = createGroupWriter(counters)

  const turnDay = () => {
    if (day === today()) return
    day = today()
    counts = new Map()
  }
  const usedBy = (key: string) => counts.get(key) ?? 0
  const add = (keys: readonly string[], calls: number) => {
    for (const key of keys) {
      const used = usedBy(key) + calls
      // Who has used nothing leaves nothing behind: else calls that fail would fill the memory.
      if (used > 0) counts.set(key, used)
      else counts.delete(key)
    }
  }
  return {
    used(key) {
      turnDay()
      return usedBy(key)
    },
    size: () => counts.size,
    take(limits) {
      turnDay()
      if (limits.some(([key, limit]) => usedBy(key) >= limit)) return undefined
      const takenOn = day
      const countsThen = counts
      const keys = limits.map(([key]) => key)
      add(keys, 1)
      return {
        spend: () => writer.write(takenOn, countsThen, keys),
        giveBack: () => {
          if (takenOn === day) add(keys, -1)
        },
      }
    },
  }
}

type Pending = { day: number; counts: ReadonlyMap<string, number>; keys: Set<string>; written: Promise<void> }

/** Collects what changed until the current turn ends, then saves it in one transaction. */
function createGroupWriter(counters: DemoCounters) {
  let pending: Pending | undefined
  const begin = (day: number, counts: ReadonlyMap<string, number>): Pending => {
    const keys = new Set<string>()
    const written = new Promise<void>((resolve, reject) => {
      setImmediate(() => {
        pending = undefined
        const changed = new Map([...keys].map((key) => [key, counts.get(key) ?? 0]))
        counters.save(day, changed).then(resolve, reject)
      })
    })
    return { day, counts, keys, written }
  }
  return {
    write(day: number, counts: ReadonlyMap<string, number>, keys: readonly string[]): Promise<void> {
      if (pending?.day !== day) pending = begin(day, counts)
      for (const key of keys) pending.keys.add(key)
      return pending.written
    },
  }
}
