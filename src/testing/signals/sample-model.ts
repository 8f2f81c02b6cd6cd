import { createRandomStream } from '../../core/math/random.ts'
import { VOLATILITY_HALF_LIVES_MIN } from '../../signals/history/minute-history.ts'
import { FEATURE_VERSION, FEATURES } from '../../signals/model/features.ts'
import type { Head } from '../../signals/model/head.ts'
import type { Model } from '../../signals/model/model.ts'
import { VOLATILITY_INPUTS } from '../../signals/model/volatility/volatility.ts'

/** Turns a standard deviation into the typical size of a move: the mean of ln |x| for a standard normal x. */
const DEVIATION_TO_TYPICAL = -0.635181422730739
const WEIGHT = 0.05

/** Weights whose forecast is the current volatility of one half-life. */
export function volatilityAsOf(halfLifeMin: (typeof VOLATILITY_HALF_LIVES_MIN)[number]) {
  const weights: number[] = new Array(VOLATILITY_INPUTS).fill(0)
  weights[VOLATILITY_HALF_LIVES_MIN.indexOf(halfLifeMin)] = 1
  return { weights, intercept: DEVIATION_TO_TYPICAL }
}

/** A made-up model: the slopes of a diffusion, and random weights from the seed. */
export function sampleModel(seed = 'sample', changes: Partial<Model> = {}): Model {
  const random = createRandomStream(seed, 'weights')
  let position = 0
  const draw = (scale: number) => scale * random.normal(position++)
  const head = (slope: number): Head => ({
    slope,
    bend: slope === 0 ? 0 : 0.2,
    curve: slope === 0 ? 0 : 0.1,
    tie: slope === 0 ? 0 : 0.3,
    weights: FEATURES.map(() => draw(WEIGHT)),
    intercept: draw(WEIGHT),
  })
  return {
    name: `${seed} model`,
    feature_version: FEATURE_VERSION,
    features: [...FEATURES],
    trained: {
      from: '2024-01-01T00:00:00Z',
      to: '2025-01-01T00:00:00Z',
      minutes: 1,
      windows: 1,
      data_sha256: '0'.repeat(64),
    },
    volatility: volatilityAsOf(60),
    profile: [1.1, 1.05, 1, 0.95, 0.9],
    heads: [head(0), head(1.5), head(1.6), head(1.7), head(1.8)],
    abstain_below: 0.52,
    metrics: {},
    ...changes,
  }
}

/** The same without direction features: the heads depend on the distance only. */
export function blankModel(changes: Partial<Model> = {}): Model {
  const model = sampleModel('blank', changes)
  const heads = model.heads.map((head) => ({
    ...head,
    tie: 0,
    weights: head.weights.map(() => 0),
    intercept: 0,
  }))
  return { ...model, heads, ...changes }
}
