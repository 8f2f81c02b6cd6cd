import { normalCdf } from '../core/math/normal-cdf.ts'
import { MINUTE_MS } from '../core/time/time.ts'
import { WINDOW_S } from '../core/time/window.ts'
import type { ClosedCandle } from '../signals/history/closed-candle.ts'
import type { CandlePrediction } from './run-candles.ts'

/** The outcome of a prediction, and the probability that plain diffusion would have given. */
export type Judged = {
  offsetS: number
  windowStartS: number
  probabilityUp: number
  isUp: boolean
  /** Φ(z) with the deviation of the last hour's minutes: the reference inside the window. */
  diffusion: number
  /** Standard deviation of the last hour's minutes. */
  hourVolatility: number
}

const HOUR_MIN = 60
const TINY = 1e-12

/** UP if the close at the window's end is at or above the one at its start. Undefined when either is missing. */
export function createJudge(
  candles: readonly ClosedCandle[],
): (prediction: CandlePrediction) => Judged | undefined {
  const indexes = new Map(candles.map(({ openMs }, index) => [openMs + MINUTE_MS, index]))
  const closeAt = (epochS: number) => candles[indexes.get(epochS * 1000) ?? -1]?.close
  return ({ windowStartS, asOfS, probabilityUp }) => {
    const open = closeAt(windowStartS)
    const close = closeAt(windowStartS + WINDOW_S)
    const here = indexes.get(asOfS * 1000)
    if (open === undefined || close === undefined || here === undefined) return undefined
    const hourVolatility = deviationOf(candles, here)
    const left = (windowStartS + WINDOW_S - asOfS) / 60
    const distance = Math.log((candles[here]?.close ?? open) / open)
    return {
      offsetS: asOfS - windowStartS,
      windowStartS,
      probabilityUp,
      isUp: close >= open,
      diffusion: normalCdf(distance / (hourVolatility * Math.sqrt(left) + TINY)),
      hourVolatility,
    }
  }
}

/** Root of the mean square of the last hour's one-minute log returns. */
function deviationOf(candles: readonly ClosedCandle[], newest: number): number {
  let squares = 0
  let count = 0
  for (let at = newest; at > newest - HOUR_MIN && at > 0; at--) {
    const change = Math.log((candles[at]?.close ?? 1) / (candles[at - 1]?.close ?? 1))
    squares += change * change
    count++
  }
  return count === 0 ? 0 : Math.sqrt(squares / count)
}
