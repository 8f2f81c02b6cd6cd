import type { DemoCounters } from '../../ledger/ports/demo-counters.ts'

/** Counts by client, by day. */
export type MemoryDemoCalls = Map<number, Map<string, number>>

export function createMemoryDemoCounters(days: MemoryDemoCalls = new Map()): DemoCounters {
  const countsOf = (day: number): Map<string, number> => {
    const counts = days.get(day) ?? new Map<string, number>()
    days.set(day, counts)
    return counts
  }
  const usedOf = (day: number, keys: readonly string[]) => keys.map((key) => days.get(day)?.get(key) ?? 0)
  return {
    load: async (day) => new Map(days.get(day)),
    used: async (day, keys) => usedOf(day, keys),
    async take(day, limits) {
      for (const each of days.keys()) if (each < day - 1) days.delete(each)
      const keys = limits.map(([key]) => key)
      const before = usedOf(day, keys)
      const isTaken = limits.every(([, limit], at) => (before[at] ?? 0) < limit)
      if (isTaken) for (const [at, key] of keys.entries()) countsOf(day).set(key, (before[at] ?? 0) + 1)
      return { isTaken, used: usedOf(day, keys) }
    },
    async giveBack(day, keys) {
      for (const key of keys) {
        const used = days.get(day)?.get(key) ?? 0
        if (used > 1) countsOf(day).set(key, used - 1)
        else days.get(day)?.delete(key)
      }
    },
  }
}
