import { createBoundedCache } from '../../../core/bounded-cache.ts'
import { DAY_MS, MINUTE_MS } from '../../../core/time/time.ts'
import type { TokenPrice } from './token-prices.ts'

/** What was traded of a token, in units of its liquidity, all bought and all sold. */
export type Turnover = { between(fromMs: number, toMs: number): { bought: number; sold: number } }

const STEP_MS = 5 * MINUTE_MS
const STEPS_PER_DAY = DAY_MS / STEP_MS
const MAX_DAYS_KEPT = 3
/** How far the mood of buyers and sellers leans to one side. */
const LEAN = 0.22

/** Sums from a day's beginning, so that a longer span never has less than a shorter one in it. */
type Day = { bought: Float64Array; sold: Float64Array }

export function createTurnover(price: TokenPrice, perDay: number): Turnover {
  const days = createBoundedCache<number, Day>({ capacity: MAX_DAYS_KEPT })
  const dayAt = (day: number) => {
    const known = days.get(day)
    if (known) return known
    const made = makeDay(price, perDay, day)
    days.set(day, made)
    return made
  }
  const sum = (side: keyof Day, fromMs: number, toMs: number) => {
    let total = 0
    for (let day = Math.floor(fromMs / DAY_MS); day * DAY_MS < toMs; day++) {
      const startMs = day * DAY_MS
      const sums = dayAt(day)[side]
      total += sumUpTo(sums, toMs - startMs) - sumUpTo(sums, fromMs - startMs)
    }
    return total
  }
  return {
    between: (fromMs, toMs) =>
      toMs <= fromMs
        ? { bought: 0, sold: 0 }
        : { bought: sum('bought', fromMs, toMs), sold: sum('sold', fromMs, toMs) },
  }
}

function makeDay({ activity, mood }: TokenPrice, perDay: number, day: number): Day {
  const bought = new Float64Array(STEPS_PER_DAY + 1)
  const sold = new Float64Array(STEPS_PER_DAY + 1)
  for (let i = 0; i < STEPS_PER_DAY; i++) {
    const midMs = day * DAY_MS + (i + 0.5) * STEP_MS
    const traded = (perDay / STEPS_PER_DAY) * activity(midMs)
    const share = 0.5 + LEAN * Math.tanh(mood(midMs))
    bought[i + 1] = (bought[i] ?? 0) + traded * share
    sold[i + 1] = (sold[i] ?? 0) + traded * (1 - share)
  }
  return { bought, sold }
}

function sumUpTo(sums: Float64Array, intoDayMs: number): number {
  const steps = Math.min(STEPS_PER_DAY, Math.max(0, intoDayMs / STEP_MS))
  const step = Math.min(STEPS_PER_DAY - 1, Math.floor(steps))
  const [from, to] = [sums[step] ?? 0, sums[step + 1] ?? 0]
  return from + (to - from) * (steps - step)
}
