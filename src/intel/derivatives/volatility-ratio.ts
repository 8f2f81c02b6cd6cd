import { HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import type { Candle } from '../../market/candles.ts'

const HOUR_MINUTES = 60
/** Less history does not say what is usual. */
const MIN_MINUTES = 6 * HOUR_MINUTES
/** The last closed minute may be so old. */
const MAX_AGE_MS = 5 * MINUTE_MS

export type VolatilityRatio = { ratio: number; asOfMs: number }

/**
 * Root mean square of one-minute log returns of the last hour, divided by that of all minutes given. The minute that is
 * under way is left out. Undefined for too little or too old history, and for one without any move.
 */
export function volatilityRatioOf(
  candles: readonly Pick<Candle, 'openMs' | 'close'>[],
  nowMs: number,
): VolatilityRatio | undefined {
  const closed = candles.filter(({ openMs }) => openMs + MINUTE_MS <= nowMs)
  const last = closed.at(-1)
  if (!last || closed.length < MIN_MINUTES || nowMs - last.openMs > MAX_AGE_MS + MINUTE_MS) return undefined
  const returns = closed.slice(1).map(({ close }, index) => Math.log(close / (closed[index]?.close ?? close)))
  const usual = rootMeanSquare(returns)
  const recent = rootMeanSquare(returns.slice(-HOUR_MINUTES))
  if (!(usual > 0) || !Number.isFinite(recent / usual)) return undefined
  return { ratio: recent / usual, asOfMs: last.openMs + MINUTE_MS }
}

export const VOLATILITY_MINUTES = (24 * HOUR_MS) / MINUTE_MS + 1

const rootMeanSquare = (values: readonly number[]): number =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length)
