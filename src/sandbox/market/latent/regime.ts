/** The state of the market, the same for all coins. */
export const SIM_REGIMES = ['neutral', 'momentum', 'mean_reversion', 'trending', 'choppy'] as const
export type SimRegime = (typeof SIM_REGIMES)[number]

/**
 * `followThrough` is the share of the recent move that is expected to repeat (negative: to revert), `trendPerSecond` a
 * drift in standard deviations, `volFactor` scales volatility. All are small on purpose: a five-minute window stays close
 * to a coin flip, and even perfect use of them gains only a few percent.
 */
export type RegimeModel = { followThrough: number; trendPerSecond: number; volFactor: number }

export const REGIMES: Readonly<Record<SimRegime, RegimeModel>> = {
  neutral: { followThrough: 0, trendPerSecond: 0, volFactor: 0.95 },
  momentum: { followThrough: 0.2, trendPerSecond: 0, volFactor: 1.05 },
  mean_reversion: { followThrough: -0.35, trendPerSecond: 0, volFactor: 0.95 },
  trending: { followThrough: 0, trendPerSecond: 0.006, volFactor: 1 },
  choppy: { followThrough: -0.25, trendPerSecond: 0, volFactor: 1.1 },
}

const MEAN_STAY_S = 1800

/** The state after `stepS` seconds: usually the same one, else any of the five with equal chance. */
export function nextRegime(current: number, uniform: number, stepS: number): number {
  const leaving = stepS / MEAN_STAY_S
  return uniform < leaving ? Math.floor((uniform / leaving) * SIM_REGIMES.length) : current
}
