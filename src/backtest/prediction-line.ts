import { verdictOf } from '../signals/signal.ts'
import type { CandlePrediction } from './run-candles.ts'

const DIGITS = 6
/** Never 0 or 1: one wrong certainty would make a reader's log loss infinite. */
const LEAST = 1e-6

/** One line of the predictions file; other programs read these names. */
export function lineOf(symbol: string, prediction: CandlePrediction): string {
  const { windowStartS, asOfS, probabilityUp, regime, abstain } = prediction
  // Direction and confidence are those of the rounded probability, so that a line never contradicts itself.
  const rounded = Math.max(LEAST, Math.min(1 - LEAST, Number(probabilityUp.toFixed(DIGITS))))
  const { direction, confidence } = verdictOf(rounded, 0)
  const line = {
    symbol,
    window_start: windowStartS,
    as_of: asOfS,
    p_up: rounded,
    direction,
    confidence: Number(confidence.toFixed(DIGITS)),
    regime,
    abstain,
  }
  return `${JSON.stringify(line)}\n`
}
