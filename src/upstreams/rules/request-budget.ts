import type { Clock } from '../../core/time/clock.ts'

/** A rate limit: what may be spent at once, and how fast it comes back. */
export type Allowance = { burst: number; perSecond: number }

export type RequestBudget = {
  /** Reserves `cost` and returns how long to wait before spending it; undefined, and no reservation, if too long. */
  findWaitMs(cost: number): number | undefined
}

/** Keeps requests below a venue's rate limit, first come, first served. */
export function createRequestBudget(
  clock: Clock,
  { burst, perSecond }: Allowance,
  maxWaitMs: number,
): RequestBudget {
  let left = burst
  let atMs = clock.now()
  return {
    findWaitMs(cost) {
      const nowMs = clock.now()
      left = Math.min(burst, left + (Math.max(0, nowMs - atMs) / 1000) * perSecond)
      atMs = nowMs
      const waitMs = Math.max(0, Math.ceil(((cost - left) / perSecond) * 1000))
      if (waitMs > maxWaitMs) return undefined
      left -= cost
      return waitMs
    },
  }
}
