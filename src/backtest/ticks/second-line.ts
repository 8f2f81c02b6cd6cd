import { toIndicatorValues } from '../../products/signals/indicators.ts'
import { verdictOf } from '../../signals/signal.ts'
import type { Second } from './replay.ts'

const P_DIGITS = 6
/** As many as venues use for prices. */
const PRICE_DIGITS = 8

/** One line of the output of a tick replay; null where something is unknown. */
export function lineOfSecond(
  symbol: string,
  { atMs, windowStartS, price, signal, indicators }: Second,
): string {
  const line = {
    symbol,
    as_of: atMs / 1000,
    window_start: windowStartS,
    price: price === undefined ? null : Number(price.toFixed(PRICE_DIGITS)),
    ...(signal ? verdict(signal.probabilityUp) : UNKNOWN),
    regime: signal?.regime ?? null,
    abstain: signal?.abstain ?? true,
    indicators: toIndicatorValues(indicators),
  }
  return `${JSON.stringify(line)}\n`
}

const UNKNOWN = { p_up: null, direction: null, confidence: null }

/** Direction and confidence are those of the rounded probability, so that a line never contradicts itself. */
function verdict(probabilityUp: number) {
  const rounded = Number(probabilityUp.toFixed(P_DIGITS))
  const { direction, confidence } = verdictOf(rounded, 0)
  return { p_up: rounded, direction, confidence: Number(confidence.toFixed(P_DIGITS)) }
}
