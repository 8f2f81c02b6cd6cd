import { logistic } from '../../core/math/logistic.ts'
import { OFFSETS_MIN } from '../../signals/model/model.ts'
import { OWN_FEATURES } from '../../signals/model/own/own-features.ts'
import { createNormalEquations, solve } from '../fit/normal-equations.ts'
import type { OwnRow } from './own-rows.ts'

/**
 * In units of each input's own variance: as if a standard deviation of it was expected to move the logit by 0.05. A week
 * of four coins measures that to 0.025 and is shrunk by a fifth, twenty days to 0.015 and by a tenth.
 */
const PENALTY = 400
const NEWTON_STEPS = 5
const WIDTH = OWN_FEATURES.length

/**
 * Weights by minute of the window, from windows that ended by `untilMs`. What the shipped model says is held fixed: it
 * was fitted to years, and weeks of our own would only make it worse. There is no constant, so nothing is learnt from
 * which way the market went meanwhile.
 */
export function fitOwn(rows: readonly OwnRow[], untilMs: number): number[][] {
  return OFFSETS_MIN.map((offset) => {
    const past = rows.filter((row) => row.offset === offset && row.endMs <= untilMs)
    let weights = new Float64Array(WIDTH)
    for (let step = 0; step < NEWTON_STEPS; step++) weights = newtonStep(past, weights)
    return [...weights]
  })
}

function newtonStep(rows: readonly OwnRow[], weights: Float64Array): Float64Array<ArrayBuffer> {
  const sums = createNormalEquations(WIDTH)
  const squares = new Float64Array(WIDTH)
  const input = new Float64Array(WIDTH)
  for (const { logit, features, isUp } of rows) {
    input.set(features)
    let part = 0
    for (let at = 0; at < WIDTH; at++) {
      const value = input[at] ?? 0
      part += value * (weights[at] ?? 0)
      squares[at] = (squares[at] ?? 0) + value * value
    }
    const p = logistic(logit + part)
    const curvature = Math.max(p * (1 - p), 1e-6)
    // The step solves a weighted least-squares problem with this working target.
    sums.add(input, part + (Number(isUp) - p) / curvature, curvature)
  }
  const matrix = sums.gram
  for (let i = 0; i < WIDTH; i++) {
    for (let j = 0; j < i; j++) matrix[i * WIDTH + j] = matrix[j * WIDTH + i] ?? 0
    // An input that was never known has no variance and gets the weight 0.
    const variance = rows.length === 0 ? 0 : (squares[i] ?? 0) / rows.length
    matrix[i * WIDTH + i] = (matrix[i * WIDTH + i] ?? 0) + PENALTY * variance
  }
  return Float64Array.from(solve(matrix, sums.cross, WIDTH))
}
