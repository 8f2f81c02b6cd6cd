import { DAY_MS } from '../../../core/time/time.ts'
import { type MinuteHistory, VOLATILITY_HALF_LIVES_MIN } from '../../history/minute-history.ts'

const HARMONICS = [1, 2] as const
/** About a thousandth of a basis point: keeps the logarithm finite in a market that does not move. */
const FLOOR = 1e-7

/** Inputs of the volatility forecast: log volatilities by half-life, from closes and ranges, and the time of day. */
export const VOLATILITY_INPUTS = 2 * VOLATILITY_HALF_LIVES_MIN.length + 2 * HARMONICS.length

export function fillVolatilityInputs(out: Float64Array, history: MinuteHistory): void {
  let at = 0
  for (let which = 0; which < VOLATILITY_HALF_LIVES_MIN.length; which++)
    out[at++] = Math.log(history.closeVolatility(which) + FLOOR)
  for (let which = 0; which < VOLATILITY_HALF_LIVES_MIN.length; which++)
    out[at++] = Math.log(history.rangeVolatility(which) + FLOOR)
  const day = ((history.endMs % DAY_MS) / DAY_MS) * 2 * Math.PI
  for (const harmonic of HARMONICS) {
    out[at++] = Math.sin(harmonic * day)
    out[at++] = Math.cos(harmonic * day)
  }
}

/** The mean of ln |x| for a standard normal x is −0.635. Turns a typical move into a standard deviation. */
const TYPICAL_TO_DEVIATION = Math.exp(0.635181422730739)

/** Standard deviation of the next minute's log return. The model forecasts the log of its typical size. */
export function volatilityOf(inputs: Float64Array, weights: readonly number[], intercept: number): number {
  let log = intercept
  for (let at = 0; at < inputs.length; at++) log += (inputs[at] ?? 0) * (weights[at] ?? 0)
  return TYPICAL_TO_DEVIATION * Math.exp(log)
}
