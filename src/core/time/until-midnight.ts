import { DAY_MS, SECOND_MS } from './time.ts'

/** Whole seconds until the next UTC day, when the calls of a day are counted anew. */
export function untilMidnightS(nowMs: number): number {
  return Math.ceil((DAY_MS - (nowMs % DAY_MS)) / SECOND_MS)
}
