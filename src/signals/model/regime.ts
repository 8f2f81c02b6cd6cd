import { type MinuteHistory, VOLATILITY_HALF_LIVES_MIN } from '../history/minute-history.ts'
import type { Regime } from '../signal.ts'

const HOUR_MIN = 60
const QUARTER_MIN = 15
/** Net move over the sum of moves. For an hour of a random walk the median is about 0.11, and one in thirty is above this. */
const TRENDING_EFFICIENCY = 0.34
/** The same for a quarter of an hour: about one in fifteen of a random walk is above. */
const MOMENTUM_EFFICIENCY = 0.6
const CHOPPY_EFFICIENCY = 0.08
/** RSI(14) below 30 or above 70, on the scale −1..1. */
const STRETCHED_STRENGTH = 0.4
const FIVE = VOLATILITY_HALF_LIVES_MIN.indexOf(5)
const HOUR = VOLATILITY_HALF_LIVES_MIN.indexOf(60)
/** Newest first; reused by every call. */
const closes = new Float64Array(HOUR_MIN + 1)

/**
 * What kind of market the last hour was, first match wins:
 * - `trending`: the hour went mostly one way;
 * - `momentum`: the last quarter of an hour did, and volatility is rising;
 * - `mean_reversion`: RSI(14) is stretched without such a move behind it;
 * - `choppy`: much movement, next to no progress within the hour, and volatility is not falling;
 * - `neutral`: none of these.
 */
export function regimeOf(history: MinuteHistory): Regime {
  history.readCloses(closes)
  const isRising = history.closeVolatility(FIVE) >= history.closeVolatility(HOUR)
  const hour = efficiency(HOUR_MIN)
  if (hour >= TRENDING_EFFICIENCY) return 'trending'
  if (isRising && efficiency(QUARTER_MIN) >= MOMENTUM_EFFICIENCY) return 'momentum'
  if (Math.abs(history.strength(0)) >= STRETCHED_STRENGTH) return 'mean_reversion'
  if (isRising && hour <= CHOPPY_EFFICIENCY) return 'choppy'
  return 'neutral'
}

/** Kaufman's efficiency ratio, 0..1. */
function efficiency(minutes: number): number {
  let path = 0
  for (let ago = 0; ago < minutes; ago++) path += Math.abs((closes[ago] ?? 0) - (closes[ago + 1] ?? 0))
  return path > 0 ? Math.abs((closes[0] ?? 0) - (closes[minutes] ?? 0)) / path : 0
}
