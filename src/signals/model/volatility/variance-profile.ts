import { WINDOW_MIN } from '../../../core/time/window.ts'

/**
 * How the variance of a five-minute window is spread over its minutes. This changes over months: trading around the
 * settlement of prediction markets has moved variance into the last minute. Starts with the model's profile and learns
 * from closed minutes, over about seven days.
 */
export type VarianceProfile = {
  /** A minute of the window closed. `standardised` is its move divided by the forecast volatility. */
  learn(minute: number, standardised: number): void
  /** Variance from `elapsedMin` (0..5, not only whole) to the end, in average minutes. */
  left(elapsedMin: number): number
  /** The same for the mean price of the last minute, on which markets resolve since August 2026. */
  leftOfMean(elapsedMin: number): number
}

const LAST = WINDOW_MIN - 1
/** Seven days of windows. */
const MEMORY_WINDOWS = 2_016
/** Limits what one wild minute can change. */
export const SQUARE_MAX = 16

export function createVarianceProfile(prior: readonly number[]): VarianceProfile {
  const learnt = new Float64Array(prior)
  const sumFrom = (elapsedMin: number) => {
    const running = Math.min(LAST, Math.floor(elapsedMin))
    let sum = (running + 1 - elapsedMin) * (learnt[running] ?? 1)
    for (let minute = running + 1; minute < WINDOW_MIN; minute++) sum += learnt[minute] ?? 1
    return sum
  }
  return {
    learn(minute, standardised) {
      const square = Math.min(standardised * standardised, SQUARE_MAX)
      learnt[minute] = (learnt[minute] ?? 1) + (square - (learnt[minute] ?? 1)) / MEMORY_WINDOWS
    },
    left: sumFrom,
    leftOfMean(elapsedMin) {
      const last = learnt[LAST] ?? 1
      // The mean over a minute has a third of the variance. Inside that minute, what is left shrinks with its third power.
      if (elapsedMin > LAST) return (last * Math.max(0, WINDOW_MIN - elapsedMin) ** 3) / 3
      return sumFrom(elapsedMin) - (last * 2) / 3
    },
  }
}
