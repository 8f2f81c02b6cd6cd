import { logistic } from '../../core/math/logistic.ts'

/**
 * Corrects probabilities by the outcomes of earlier ones: `logit' = shift + (1 + stretch)·logit`. Both start at 0 and
 * learn from closed windows, one at a time (an extended Kalman filter of a logistic regression). They learn slowly:
 * after a first day with 56 % UP, 0.50 becomes about 0.51. The prior deviations below bound them, and what was learnt
 * fades over weeks. The pair was chosen out of six by walk-forward: wider ones lost skill, narrower ones calibration.
 */
export type Recalibration = {
  correct(logit: number): number
  /** A window closed; `logit` was given for it, before correction. */
  learn(logit: number, isUp: boolean): void
}

const SHIFT_DEVIATION = 0.05
const STRETCH_DEVIATION = 0.1
/** Five-minute windows until half of what was learnt is forgotten: a month. */
const FADE_WINDOWS = 8_640
const KEEP = 0.5 ** (1 / FADE_WINDOWS)
/** Larger logits are clamped: the learning step grows with the logit. */
const LOGIT_MAX = 12

export function createRecalibration(): Recalibration {
  const prior = { shift: SHIFT_DEVIATION ** 2, stretch: STRETCH_DEVIATION ** 2 }
  let shift = 0
  let stretch = 0
  // Covariance of (shift, stretch).
  let ss = prior.shift
  let sr = 0
  let rr = prior.stretch

  return {
    correct: (logit) => shift + (1 + stretch) * logit,
    learn(stated, isUp) {
      const logit = Math.max(-LOGIT_MAX, Math.min(LOGIT_MAX, stated))
      // Fade towards the prior.
      shift *= KEEP
      stretch *= KEEP
      ss += (1 - KEEP * KEEP) * (prior.shift - ss)
      sr *= KEEP * KEEP
      rr += (1 - KEEP * KEEP) * (prior.stretch - rr)

      const p = logistic(shift + (1 + stretch) * logit)
      const weight = p * (1 - p)
      const gainS = ss + sr * logit
      const gainR = sr + rr * logit
      const scale = 1 / (1 + weight * (gainS + gainR * logit))
      const error = (isUp ? 1 : 0) - p
      shift += gainS * scale * error
      stretch += gainR * scale * error
      ss -= gainS * gainS * weight * scale
      sr -= gainS * gainR * weight * scale
      rr -= gainR * gainR * weight * scale
    },
  }
}
