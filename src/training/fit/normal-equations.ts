/** Sums that a linear least-squares fit needs, over rows of `width` inputs (one of them a constant 1, last). */
export type NormalEquations = {
  readonly width: number
  add(row: Float64Array, target: number, weight?: number): void
  /** Adds the sums of another set of rows. */
  merge(other: NormalEquations): void
  readonly gram: Float64Array
  readonly cross: Float64Array
}

export function createNormalEquations(width: number): NormalEquations {
  const gram = new Float64Array(width * width)
  const cross = new Float64Array(width)
  return {
    width,
    gram,
    cross,
    add(row, target, weight = 1) {
      for (let i = 0; i < width; i++) {
        const value = (row[i] ?? 0) * weight
        if (value === 0) continue
        cross[i] = (cross[i] ?? 0) + value * target
        const from = i * width
        for (let j = i; j < width; j++) gram[from + j] = (gram[from + j] ?? 0) + value * (row[j] ?? 0)
      }
    },
    merge(other) {
      for (let at = 0; at < gram.length; at++) gram[at] = (gram[at] ?? 0) + (other.gram[at] ?? 0)
      for (let at = 0; at < width; at++) cross[at] = (cross[at] ?? 0) + (other.cross[at] ?? 0)
    },
  }
}

/**
 * Weights of the ridge fit. The penalty is in units of each input's own variance, as if all were standardised; the
 * constant is free.
 */
export function solveRidge({ width, gram, cross }: NormalEquations, penalty: number): Float64Array {
  const last = width - 1
  const rows = gram[last * width + last] ?? 1
  const matrix = mirrored(gram, width)
  for (let i = 0; i < last; i++) {
    const mean = (gram[i * width + last] ?? 0) / rows
    const variance = Math.max(0, (gram[i * width + i] ?? 0) / rows - mean * mean)
    matrix[i * width + i] = (matrix[i * width + i] ?? 0) + penalty * variance
  }
  return solve(matrix, cross, width)
}

function mirrored(upper: Float64Array, width: number): Float64Array {
  const full = upper.slice()
  for (let i = 0; i < width; i++) for (let j = 0; j < i; j++) full[i * width + j] = full[j * width + i] ?? 0
  return full
}

/** Keeps the factorisation stable when two inputs are collinear. */
const JITTER = 1e-9

/** Cholesky; `matrix` is symmetric and positive. */
export function solve(matrix: Float64Array, right: Float64Array, width: number): Float64Array {
  const lower = new Float64Array(width * width)
  const at = (i: number, j: number) => lower[i * width + j] ?? 0
  for (let i = 0; i < width; i++)
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * width + j] ?? 0
      for (let k = 0; k < j; k++) sum -= at(i, k) * at(j, k)
      lower[i * width + j] = i === j ? Math.sqrt(Math.max(sum, JITTER)) : sum / at(j, j)
    }
  const result = new Float64Array(right)
  for (let i = 0; i < width; i++) {
    let sum = result[i] ?? 0
    for (let k = 0; k < i; k++) sum -= at(i, k) * (result[k] ?? 0)
    result[i] = sum / at(i, i)
  }
  for (let i = width - 1; i >= 0; i--) {
    let sum = result[i] ?? 0
    for (let k = i + 1; k < width; k++) sum -= at(k, i) * (result[k] ?? 0)
    result[i] = sum / at(i, i)
  }
  return result
}
