import { MINUTE_MS } from '../../core/time/time.ts'
import { WINDOW_MIN } from '../../core/time/window.ts'
import { VOLATILITY_INPUTS } from '../../signals/model/volatility/volatility.ts'
import { hasFuture, type Rows } from '../history/dataset.ts'
import { createNormalEquations, type NormalEquations, solveRidge } from './normal-equations.ts'

/** A tenth of a basis point: keeps the logarithm of a zero move finite. */
const MOVE_FLOOR = 1e-5
const PENALTY = 300

/** Sums for the forecast of the log size of a window's remaining move, per square root of a minute. */
export function volatilitySums(rows: Rows, isMember: (endMs: number) => boolean): NormalEquations {
  const sums = createNormalEquations(VOLATILITY_INPUTS + 1)
  const input = new Float64Array(VOLATILITY_INPUTS + 1)
  input[VOLATILITY_INPUTS] = 1
  for (let row = 0; row < rows.count; row++) {
    const endMs = rows.endMs[row] ?? 0
    const left = WINDOW_MIN - ((endMs / MINUTE_MS) % WINDOW_MIN)
    if (!rows.isUsable[row] || !isMember(endMs) || !hasFuture(rows, row, left)) continue
    const move = Math.abs((rows.close[row + left] ?? 0) - (rows.close[row] ?? 0))
    const from = row * VOLATILITY_INPUTS
    input.set(rows.inputs.subarray(from, from + VOLATILITY_INPUTS))
    sums.add(input, Math.log(move / Math.sqrt(left) + MOVE_FLOOR))
  }
  return sums
}

export type VolatilityFit = { weights: number[]; intercept: number }

export function fitVolatility(sums: NormalEquations): VolatilityFit {
  const solved = solveRidge(sums, PENALTY)
  return { weights: [...solved.subarray(0, VOLATILITY_INPUTS)], intercept: solved[VOLATILITY_INPUTS] ?? 0 }
}
