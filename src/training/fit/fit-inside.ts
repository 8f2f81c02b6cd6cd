import { logistic } from '../../core/math/logistic.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { WINDOW_MIN } from '../../core/time/window.ts'
import { FEATURES } from '../../signals/model/features.ts'
import { clampZ, type Head, tieInput } from '../../signals/model/head.ts'
import { SQUARE_MAX } from '../../signals/model/volatility/variance-profile.ts'
import { VOLATILITY_INPUTS, volatilityOf } from '../../signals/model/volatility/volatility.ts'
import { hasFuture, type Rows } from '../history/dataset.ts'
import type { VolatilityFit } from './fit-volatility.ts'
import { createNormalEquations, solve } from './normal-equations.ts'

const PENALTY = 100
const NEWTON_STEPS = 4
/** Columns: z, tanh z, tanh³z, near a tie, the features, 1. */
const MOVING = 4
const WIDTH = MOVING + FEATURES.length + 1
const ONE = WIDTH - 1

type Past = (endMs: number) => boolean

/** Variance of each minute of a window in units of its forecast. */
export function fitProfile(all: readonly Rows[], volatility: VolatilityFit, isPast: Past): number[] {
  const sums = new Float64Array(WINDOW_MIN)
  const counts = new Float64Array(WINDOW_MIN)
  for (const rows of all)
    for (let row = 0; row < rows.count; row++) {
      if (!rows.isUsable[row] || !isPast(rows.endMs[row] ?? 0) || !hasFuture(rows, row, 1)) continue
      const minute = ((rows.endMs[row] ?? 0) / MINUTE_MS) % WINDOW_MIN
      const move = ((rows.close[row + 1] ?? 0) - (rows.close[row] ?? 0)) / forecastAt(rows, row, volatility)
      sums[minute] = (sums[minute] ?? 0) + Math.min(move * move, SQUARE_MAX)
      counts[minute] = (counts[minute] ?? 0) + 1
    }
  return [...sums].map((sum, minute) => sum / (counts[minute] ?? 1))
}

/** Inputs and outcomes of past windows for the head of one minute. */
type Sight = { inputs: Float32Array; outcomes: Uint8Array; count: number }

export function fitInside(
  all: readonly Rows[],
  offsetMin: number,
  fitted: { volatility: VolatilityFit; profile: readonly number[]; start: Head | undefined },
  isPast: Past,
): Head {
  const sight = look(all, offsetMin, fitted.volatility, fitted.profile, isPast)
  let weights = fitted.start ? toColumns(fitted.start) : new Float64Array(WIDTH)
  for (let step = 0; step < NEWTON_STEPS; step++) weights = newtonStep(sight, weights)
  const [slope = 0, bend = 0, curve = 0, tie = 0] = weights
  return {
    slope,
    bend,
    curve,
    tie,
    weights: [...weights.subarray(MOVING, ONE)],
    intercept: weights[ONE] ?? 0,
  }
}

function toColumns({ slope, bend, curve, tie, weights, intercept }: Head): Float64Array {
  return Float64Array.from([slope, bend, curve, tie, ...weights, intercept])
}

function look(
  all: readonly Rows[],
  offsetMin: number,
  volatility: VolatilityFit,
  profile: readonly number[],
  isPast: Past,
): Sight {
  const left = profile.slice(offsetMin).reduce((sum, share) => sum + share, 0)
  const most = all.reduce((sum, { count }) => sum + Math.ceil(count / WINDOW_MIN) + 1, 0)
  const sight: Sight = { inputs: new Float32Array(most * WIDTH), outcomes: new Uint8Array(most), count: 0 }
  const features = new Float64Array(FEATURES.length)
  for (const rows of all)
    for (let start = 0; start < rows.count; start++) {
      const startMs = rows.endMs[start] ?? 0
      if (startMs % (WINDOW_MIN * MINUTE_MS) !== 0 || !rows.isUsable[start]) continue
      if (!isPast(startMs) || !hasFuture(rows, start, WINDOW_MIN)) continue
      const row = start + offsetMin
      const distance = (rows.close[row] ?? 0) - (rows.close[start] ?? 0)
      const z = clampZ(distance / (forecastAt(rows, row, volatility) * Math.sqrt(left)))
      features.set(rows.features.subarray(row * FEATURES.length, (row + 1) * FEATURES.length))
      const from = sight.count * WIDTH
      sight.inputs.set([z, Math.tanh(z), Math.tanh(z) ** 3, tieInput(z, features)], from)
      sight.inputs.set(features, from + MOVING)
      sight.inputs[from + ONE] = 1
      sight.outcomes[sight.count] = (rows.close[start + WINDOW_MIN] ?? 0) >= (rows.close[start] ?? 0) ? 1 : 0
      sight.count++
    }
  return sight
}

function newtonStep({ inputs, outcomes, count }: Sight, weights: Float64Array): Float64Array {
  const sums = createNormalEquations(WIDTH)
  const input = new Float64Array(WIDTH)
  for (let row = 0; row < count; row++) {
    let logit = 0
    for (let at = 0; at < WIDTH; at++) {
      const value = inputs[row * WIDTH + at] ?? 0
      input[at] = value
      logit += value * (weights[at] ?? 0)
    }
    const p = logistic(logit)
    const curvature = Math.max(p * (1 - p), 1e-6)
    // The step solves a weighted least-squares problem with this working target.
    sums.add(input, logit + ((outcomes[row] ?? 0) - p) / curvature, curvature)
  }
  const matrix = sums.gram
  for (let i = 0; i < WIDTH; i++) {
    for (let j = 0; j < i; j++) matrix[i * WIDTH + j] = matrix[j * WIDTH + i] ?? 0
    if (i !== ONE) matrix[i * WIDTH + i] = (matrix[i * WIDTH + i] ?? 0) + PENALTY
  }
  return solve(matrix, sums.cross, WIDTH)
}

function forecastAt(rows: Rows, row: number, { weights, intercept }: VolatilityFit): number {
  const from = row * VOLATILITY_INPUTS
  scratch.set(rows.inputs.subarray(from, from + VOLATILITY_INPUTS))
  return volatilityOf(scratch, weights, intercept)
}
const scratch = new Float64Array(VOLATILITY_INPUTS)
