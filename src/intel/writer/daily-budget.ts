import type { Clock } from '../../core/time/clock.ts'
import { DAY_MS } from '../../core/time/time.ts'

/** Counts one request of a day, by its UTC day number; false where nothing is left. */
export type TakeOfDay = (day: number) => Promise<boolean>

/** Requests that may be sent in a UTC day. */
export type DailyBudget = {
  /** False where nothing is left, or the count cannot be kept: what is not counted is not spent. */
  take(): Promise<boolean>
}

/** What was taken stays taken, however the request ends: a failed one may have been paid for. */
export function createDailyBudget(clock: Clock, takeOfDay: TakeOfDay): DailyBudget {
  return { take: () => takeOfDay(Math.floor(clock.now() / DAY_MS)).catch(() => false) }
}
