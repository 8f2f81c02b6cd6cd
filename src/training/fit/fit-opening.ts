import { WINDOW_MIN } from '../../core/time/window.ts'
import { FEATURES } from '../../signals/model/features.ts'
import type { Head } from '../../signals/model/head.ts'
import { hasFuture, type Rows } from '../history/dataset.ts'
import { createNormalEquations, type NormalEquations, solveRidge } from './normal-equations.ts'

const PENALTY = 1_000

/**
 * Sums for the opening head. Every minute is used as the start of a window, not only every fifth: five times as many
 * rows, though they overlap, give better weights.
 */
export function openingSums(rows: Rows, isMember: (endMs: number) => boolean): NormalEquations {
  const sums = createNormalEquations(FEATURES.length + 1)
  const input = new Float64Array(FEATURES.length + 1)
  input[FEATURES.length] = 1
  for (let row = 0; row < rows.count; row++) {
    if (!rows.isUsable[row] || !isMember(rows.endMs[row] ?? 0) || !hasFuture(rows, row, WINDOW_MIN)) continue
    const isUp = (rows.close[row + WINDOW_MIN] ?? 0) >= (rows.close[row] ?? 0)
    const from = row * FEATURES.length
    input.set(rows.features.subarray(from, from + FEATURES.length))
    sums.add(input, isUp ? 1 : -1)
  }
  return sums
}

/** The effect is so small that the logistic curve is linear there: P = ½ + ½·fit, so logit = 2·fit. */
export function fitOpening(sums: NormalEquations): Head {
  const solved = solveRidge(sums, PENALTY).map((weight) => 2 * weight)
  return {
    slope: 0,
    bend: 0,
    curve: 0,
    tie: 0,
    weights: [...solved.subarray(0, FEATURES.length)],
    intercept: solved[FEATURES.length] ?? 0,
  }
}
