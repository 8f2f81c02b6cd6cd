import type { Clock } from '../core/time/clock.ts'
import { DAY_MS } from '../core/time/time.ts'
import type { DemoCounters } from '../ledger/ports/store.ts'
import type { DemoBudget } from '../payments/gate/gate.ts'

/** Key of the count over all clients; no address looks like it. */
const EVERYBODY = '*'

export type DemoLimits = { perClientPerDay: number; totalPerDay: number }
type Options = DemoLimits & { clock: Clock; counters: DemoCounters }

/**
 * Counts in memory, so that of two requests racing for the last call exactly one wins, and writes before a reply
 * leaves, so that a restart gives nothing back. Calls of one turn of the event loop share one durable write.
 */
export async function createDemoBudget({
  clock,
  counters,
  perClientPerDay,
  totalPerDay,
}: Options): Promise<DemoBudget> {
  const today = () => Math.floor(clock.now() / DAY_MS)
  let day = today()
  let used = new Map(await counters.load(day))
  const writer = createGroupWriter(counters)

  const turnDay = () => {
    if (day === today()) return
    day = today()
    used = new Map()
  }
  const add = (client: string, calls: number) => {
    for (const key of [client, EVERYBODY]) used.set(key, (used.get(key) ?? 0) + calls)
  }
  const left = (client: string) => Math.max(0, perClientPerDay - (used.get(client) ?? 0))
  return {
    limit: perClientPerDay,
    remaining(client) {
      turnDay()
      return left(client)
    },
    take(client) {
      turnDay()
      if (left(client) === 0 || (used.get(EVERYBODY) ?? 0) >= totalPerDay) return undefined
      const takenOn = day
      const counts = used
      add(client, 1)
      return {
        remaining: left(client),
        spend: () => writer.write(takenOn, counts, [client, EVERYBODY]),
        giveBack: () => {
          if (takenOn === day) add(client, -1)
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
