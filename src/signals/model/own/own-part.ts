import { type MinuteHistory, VOLATILITY_HALF_LIVES_MIN } from '../../history/minute-history.ts'
import type { SampleAt } from '../../samples/minute-sample.ts'
import type { Model } from '../model.ts'
import { fillOwnFeatures, OWN_FEATURES } from './own-features.ts'

/** What was learnt from own history adds to the logits of the shipped model; nothing where nothing was learnt. */
export type OwnPart = {
  /**
   * Adds to the logits of the heads, from the first on, once the newest minute is in the history. `logit`: what the
   * shipped model says for that moment.
   */
  addTo(logits: Float64Array, logit: number): void
}

const HOUR_VOLATILITY = VOLATILITY_HALF_LIVES_MIN.indexOf(60)
const TINY = 1e-12

export function createOwnPart(
  { ownWeights }: Pick<Model, 'ownWeights'>,
  history: MinuteHistory,
  sampleAt: SampleAt | undefined,
): OwnPart {
  if (!ownWeights || !sampleAt) return { addTo() {} }
  const features = new Float64Array(OWN_FEATURES.length)
  return {
    addTo(logits, logit) {
      readOwnFeatures(features, history, sampleAt, logit)
      for (let head = 0; head < logits.length; head++) {
        const weights = ownWeights[head]
        let sum = 0
        for (let at = 0; at < features.length; at++) sum += (features[at] ?? 0) * (weights?.[at] ?? 0)
        logits[head] = (logits[head] ?? 0) + sum
      }
    },
  }
}

/** The one way in which a forecaster and the training read them. */
export function readOwnFeatures(
  out: Float64Array,
  history: MinuteHistory,
  sampleAt: SampleAt,
  logit: number,
): void {
  const unit = history.closeVolatility(HOUR_VOLATILITY) + TINY
  fillOwnFeatures(out, { endMs: history.endMs, sampleAt, unit, logit })
}
