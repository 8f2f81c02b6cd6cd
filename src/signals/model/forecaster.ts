import { logistic } from '../../core/math/logistic.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { WINDOW_MIN } from '../../core/time/window.ts'
import type { MinuteHistory } from '../history/minute-history.ts'
import type { SampleAt } from '../samples/minute-sample.ts'
import { type Verdict, verdictOf } from '../signal.ts'
import { FEATURES, fillFeatures, WARM_MINUTES } from './features.ts'
import { clampZ, type Head, movingPart, steadyPart } from './head.ts'
import { type Model, OFFSETS_MIN } from './model.ts'
import { createOwnPart } from './own/own-part.ts'
import { createRecalibration, type Recalibration } from './recalibration.ts'
import { createVarianceProfile, type VarianceProfile } from './volatility/variance-profile.ts'
import { fillVolatilityInputs, VOLATILITY_INPUTS, volatilityOf } from './volatility/volatility.ts'

/** Probabilities of one coin. The backtest and the live engine share this code. */
export type Forecaster = {
  /** Call once the newest minute is in the coin's history, and in those of the other coins where it is known. */
  minuteClosed(): void
  /** False until there is enough history. */
  readonly isWarm: boolean
  /** Standard deviation of a minute's log return, as forecast at the last minute. */
  readonly volatility: number
  /** Given for the moment at which the last minute closed, before recalibration. */
  readonly logit: number
  profile: Pick<VarianceProfile, 'left' | 'leftOfMean'>
  /**
   * Probability that the open window closes at or above its opening price. `elapsedMin`: minutes since it opened.
   * `distance`: log distance above the opening price. `varianceMin`: the variance still to come, in average minutes.
   */
  at(elapsedMin: number, distance: number, varianceMin: number): number
  /** Direction, confidence and whether to abstain, which it always does for an hour after a gap in the history. */
  verdict(probabilityUp: number): Verdict
  /** The same for a window that opens when the newest minute of the history, a peeked one included, ends. */
  opening(distance: number, varianceMin: number): number
}

const LAST = WINDOW_MIN - 1
const TRUSTED_AFTER_GAP_MIN = 60

type Ports = {
  model: Model
  own: MinuteHistory
  others: readonly MinuteHistory[]
  /** Of the same coin; without them a model that has learnt from own history goes without what it learnt. */
  sampleAt?: SampleAt | undefined
}

export function createForecaster({ model, own, others, sampleAt }: Ports): Forecaster {
  const features = new Float64Array(FEATURES.length)
  const inputs = new Float64Array(VOLATILITY_INPUTS)
  const recalibrations = OFFSETS_MIN.map(createRecalibration)
  const profile = createVarianceProfile(model.profile)
  const heads = OFFSETS_MIN.map((offset) => withDistance(model, offset))
  const opening = createOpening({ model, own, others, sampleAt }, heads[0] as Head)
  const ownPart = createOwnPart(model, own, sampleAt)
  const steady = new Float64Array(WINDOW_MIN)
  /** Logits given at each minute of the open window, before recalibration; NaN where none was given. */
  const givenLogits = new Float64Array(WINDOW_MIN).fill(Number.NaN)
  let volatility = Number.NaN

  const refresh = () => {
    fillVolatilityInputs(inputs, own)
    volatility = volatilityOf(inputs, model.volatility.weights, model.volatility.intercept)
    fillFeatures(features, own, others)
    heads.forEach((head, at) => {
      steady[at] = steadyPart(head, features)
    })
  }
  const rawAt = (offset: number, z: number) =>
    (steady[offset] ?? 0) + movingPart(heads[offset] as Head, z, features)
  const corrected = (offset: number, z: number) =>
    recalibrations[offset]?.correct(rawAt(offset, z)) ?? Number.NaN
  const zOf = (distance: number, varianceMin: number) =>
    clampZ(distance / (volatility * Math.sqrt(varianceMin) + Number.MIN_VALUE))

  const learn = () => {
    if (own.sinceGap > 1 && Number.isFinite(volatility)) {
      const minute = (offsetOf(own) + LAST) % WINDOW_MIN
      profile.learn(minute, (own.close(0) - own.close(1)) / volatility)
    }
    if (offsetOf(own) !== 0) return
    learnOutcome(own, givenLogits, recalibrations)
    givenLogits.fill(Number.NaN)
  }
  return {
    profile,
    get isWarm() {
      return own.count >= WARM_MINUTES
    },
    get volatility() {
      return volatility
    },
    get logit() {
      return givenLogits[offsetOf(own)] ?? Number.NaN
    },
    minuteClosed() {
      if (own.count < WARM_MINUTES) return
      learn()
      refresh()
      const offset = offsetOf(own)
      const z = zOf(own.close(0) - own.close(offset), profile.left(offset))
      ownPart.addTo(steady, rawAt(offset, z))
      givenLogits[offset] = rawAt(offset, z)
    },
    at(elapsedMin, distance, varianceMin) {
      const z = zOf(distance, varianceMin)
      const offset = Math.min(LAST, Math.floor(elapsedMin))
      const share = offset === LAST ? 0 : elapsedMin - offset
      const here = corrected(offset, z)
      return logistic(share === 0 ? here : here + share * (corrected(offset + 1, z) - here))
    },
    verdict(probabilityUp) {
      const verdict = verdictOf(probabilityUp, model.abstain_below)
      return { ...verdict, abstain: verdict.abstain || own.sinceGap <= TRUSTED_AFTER_GAP_MIN }
    },
    opening(distance, varianceMin) {
      const raw = opening(distance, varianceMin)
      return logistic(recalibrations[0]?.correct(raw) ?? raw)
    },
  }
}

/** A window closed. */
function learnOutcome(
  own: MinuteHistory,
  givenLogits: Float64Array,
  recalibrations: readonly Recalibration[],
): void {
  const isWhole = own.sinceGap > WINDOW_MIN
  const isUp = own.close(0) >= own.close(WINDOW_MIN)
  givenLogits.forEach((logit, at) => {
    if (isWhole && Number.isFinite(logit)) recalibrations[at]?.learn(logit, isUp)
  })
}

/** The opening head with its own buffers, so that the features of the running window stay as they are. */
function createOpening({ model, own, others, sampleAt }: Ports, head: Head) {
  const features = new Float64Array(FEATURES.length)
  const inputs = new Float64Array(VOLATILITY_INPUTS)
  const { weights, intercept } = model.volatility
  const logits = new Float64Array(1)
  const ownPart = createOwnPart(model, own, sampleAt)
  return (distance: number, varianceMin: number) => {
    fillVolatilityInputs(inputs, own)
    fillFeatures(features, own, others)
    const z = clampZ(distance / (volatilityOf(inputs, weights, intercept) * Math.sqrt(varianceMin)))
    const logit = steadyPart(head, features) + movingPart(head, z, features)
    logits[0] = logit
    ownPart.addTo(logits, logit)
    return logits[0]
  }
}

/** How many minutes into its window the newest minute ended. */
function offsetOf(history: MinuteHistory): number {
  return (history.endMs / MINUTE_MS) % WINDOW_MIN
}

/** The first head was fitted without a distance, but a window that resolves on averages opens with one: the next head's slope is used. */
function withDistance({ heads }: Model, offset: number): Head {
  const head = heads[offset] as Head
  const next = heads[1] as Head
  return offset === 0 ? { ...head, slope: next.slope, bend: next.bend, curve: next.curve } : head
}
