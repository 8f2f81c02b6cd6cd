import { calibrationErrorOf } from './calibration-error.ts'
import { dayIntervalsOf, dayOf, type Interval } from './day-bootstrap.ts'

/** Forecasts with their outcomes, in arrays of equal length. `reference` is the probability to beat. */
export type Scored = {
  startsS: Float64Array
  probabilities: Float64Array
  outcomes: Uint8Array
  reference: Float64Array
}

export type Scores = {
  count: number
  days: number
  hit: number
  hitInterval: Interval
  brier: number
  logLoss: number
  /** Share of windows that closed UP. */
  baseRate: number
  /** Brier skill over the reference; 0 is no better than it. */
  skill: number
  skillInterval: Interval
  referenceBrier: number
  ece: number
  eceNoiseFloor: number
  selective: readonly Selective[]
}

/** The most confident `share` of windows: how often they were right, and the confidence they stated. */
export type Selective = { share: number; count: number; hit: number; stated: number }

const SHARES = [0.5, 0.2, 0.1, 0.05] as const
/** Keeps the log loss of a wrong certainty finite. */
const TINY = 1e-12

export function scoresOf({ startsS, probabilities, outcomes, reference }: Scored): Scores {
  const count = probabilities.length
  // Per window: 1, hit, squared error, the reference's squared error.
  const sums = new Float64Array(count * 4)
  let logLoss = 0
  let ups = 0
  for (let at = 0; at < count; at++) {
    const p = probabilities[at] ?? 0.5
    const up = outcomes[at] ?? 0
    sums.set([1, isHit(p, up) ? 1 : 0, (p - up) ** 2, ((reference[at] ?? 0.5) - up) ** 2], at * 4)
    logLoss -= Math.log(Math.max(TINY, up ? p : 1 - p))
    ups += up
  }
  const totals = [0, 0, 0, 0]
  sums.forEach((value, at) => {
    totals[at % 4] = (totals[at % 4] ?? 0) + value
  })
  const [, hits = 0, squares = 0, rival = 0] = totals
  const [hitInterval = NONE, skillInterval = NONE] = dayIntervalsOf(startsS, sums, 4, figuresOf)
  const { ece, noiseFloor } = calibrationErrorOf(probabilities, outcomes)
  return {
    count,
    days: new Set(Array.from(startsS, dayOf)).size,
    hit: hits / count,
    hitInterval,
    brier: squares / count,
    logLoss: logLoss / count,
    baseRate: ups / count,
    skill: 1 - squares / rival,
    skillInterval,
    referenceBrier: rival / count,
    ece,
    eceNoiseFloor: noiseFloor,
    selective: selectiveOf(probabilities, outcomes),
  }
}

const NONE: Interval = [Number.NaN, Number.NaN]

function figuresOf(total: Float64Array): readonly number[] {
  const [count = 0, hits = 0, squares = 0, rival = 0] = total
  return [hits / count, 1 - squares / rival]
}

function isHit(p: number, up: number): boolean {
  return p >= 0.5 === up > 0
}

function selectiveOf(probabilities: Float64Array, outcomes: Uint8Array): Selective[] {
  const confidence = probabilities.map((p) => Math.max(p, 1 - p))
  const order = new Uint32Array(confidence.length).map((_, index) => index)
  order.sort((a, b) => (confidence[b] ?? 0) - (confidence[a] ?? 0) || a - b)
  return SHARES.map((share) => {
    const count = Math.floor(order.length * share)
    let hits = 0
    let stated = 0
    for (let at = 0; at < count; at++) {
      const index = order[at] ?? 0
      if (isHit(probabilities[index] ?? 0.5, outcomes[index] ?? 0)) hits++
      stated += confidence[index] ?? 0
    }
    return { share, count, hit: hits / count, stated: stated / count }
  })
}
