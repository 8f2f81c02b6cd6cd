import { DAY_MS } from '../core/time/time.ts'
import type { UsageEvent, UsageSum } from './ports/usage-log.ts'

/** Counts that are not saved yet. */
export type UsageTally = {
  /** False when there is no room for one more kind of call. */
  add(sum: UsageSum): boolean
  /** Returns everything and starts again empty. */
  take(): UsageSum[]
}

/** Distinct (day, product, via, status) held at once: four times what the whole catalog needs. */
const KINDS_MAX = 4_096

export function createUsageTally(): UsageTally {
  let sums = new Map<string, UsageSum>()
  return {
    add(sum) {
      const key = `${sum.day} ${sum.via} ${sum.status} ${sum.productId}`
      const known = sums.get(key)
      if (!known && sums.size >= KINDS_MAX) return false
      sums.set(key, known ? merge(known, sum) : sum)
      return true
    },
    take() {
      const taken = [...sums.values()]
      sums = new Map()
      return taken
    },
  }
}

export function sumOf({ atMs, productId, via, status, ms }: UsageEvent): UsageSum {
  const timing = ms === undefined ? { timed: 0, totalMs: 0, maxMs: 0 } : { timed: 1, totalMs: ms, maxMs: ms }
  return { day: Math.floor(atMs / DAY_MS), productId, via, status, calls: 1, ...timing }
}

function merge(a: UsageSum, b: UsageSum): UsageSum {
  return {
    ...a,
    calls: a.calls + b.calls,
    timed: a.timed + b.timed,
    totalMs: a.totalMs + b.totalMs,
    maxMs: Math.max(a.maxMs, b.maxMs),
  }
}
