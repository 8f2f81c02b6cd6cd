import { Z_95 } from '../../core/math/wilson.ts'
import type { Calibration } from './calibration.ts'
import { LEAST_PROBABILITY } from './tally.ts'
import type { Weights, WindowSums } from './window-sums.ts'

/** A figure and its 95 % interval; no interval where there are too few windows for one. */
export type Estimate = { value: number; low: number | null; high: number | null }
export type Scores<Figure> = { brier: Figure; log_loss: Figure }
export const BASELINES = ['coin_flip', 'base_rate'] as const
export type Baseline = {
  name: (typeof BASELINES)[number]
  scores: Scores<number>
  /** Ours less the baseline's, on the same windows: below zero is better than the baseline. */
  difference: Scores<Estimate>
}
export type Comparison = {
  /** With at least one prediction that was scored. */
  windows: number
  /** Null while nothing is scored. */
  ours: Scores<Estimate> | null
  baselines: readonly Baseline[]
}

/** Below this the normal distribution says too little about a mean. */
export const INTERVAL_MIN_WINDOWS = 30

/** Our scores beside those of somebody who knows nothing, and of one who knows how often UP came, with hindsight. */
export function compare(
  { brier, log_loss, base_rate }: Pick<Calibration, 'brier' | 'log_loss' | 'base_rate'>,
  sums: WindowSums,
): Comparison {
  if (brier === null || log_loss === null || base_rate === null)
    return { windows: 0, ours: null, baselines: [] }
  const estimate = (value: number, weights: Weights) => estimateOf(sums, value, weights)
  const probability = { coin_flip: 0.5, base_rate }
  return {
    windows: sums.windows,
    ours: { brier: estimate(brier, { brier: 1 }), log_loss: estimate(log_loss, { logLoss: 1 }) },
    baselines: BASELINES.map((name) => {
      const p = probability[name]
      const scores = scoresOfAlways(p, base_rate)
      // What always saying p scores in a window, whose outcomes are its ups and the rest.
      const [up, down] = [lossOf(p), lossOf(1 - p)]
      const difference = {
        brier: estimate(brier - scores.brier, { brier: 1, ups: 2 * p - 1, count: -(p ** 2) }),
        log_loss: estimate(log_loss - scores.log_loss, { logLoss: 1, ups: down - up, count: -down }),
      }
      return { name, scores, difference }
    }),
  }
}

function scoresOfAlways(p: number, baseRate: number): Scores<number> {
  return {
    brier: p ** 2 + baseRate * (1 - 2 * p),
    log_loss: baseRate * lossOf(p) + (1 - baseRate) * lossOf(1 - p),
  }
}

const lossOf = (probability: number) => -Math.log(Math.max(LEAST_PROBABILITY, probability))

function estimateOf(sums: WindowSums, value: number, weights: Weights): Estimate {
  if (sums.windows < INTERVAL_MIN_WINDOWS) return { value, low: null, high: null }
  const reach = Z_95 * sums.standardError(weights)
  return { value, low: value - reach, high: value + reach }
}
