import { WINDOW_MIN } from '../../../core/window.ts'

/**
 * How the variance of a five-minute window spreads over its minutes. It drifts: flow that settles prediction markets
 * has moved variance into the last minute. Learnt from the squared moves of closed minutes in units of their forecast,
 * over about seven days, starting from what the model saw.
 */
export type VarianceProfile = {
  /** A minute of the window closed: its move over the volatility that was forecast for it. */
  learn(minute: number, standardised: number): void
  /** Variance from `elapsedMin` (0..5, fractions too) to the end, in usual minutes. */
  left(elapsedMin: number): number
  /** The same of the price's mean over the last minute, which is what resolves markets since August 2026. */
  leftOfMean(elapsedMin: number): number
}

const LAST = WINDOW_MIN - 1
/** Seven days of windows. */
const MEMORY_WINDOWS = 2_016
/** One wild minute must not become the profile. */
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
      // A mean over a minute has a third of the variance; once part of it is fixed, the third power of what is left.
      if (elapsedMin > LAST) return (last * Math.max(0, WINDOW_MIN - elapsedMin) ** 3) / 3
      return sumFrom(elapsedMin) - (last * 2) / 3
    },
  }
}
