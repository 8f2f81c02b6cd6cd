import { describe, expect, test } from 'vitest'
import { createDraws, createRandomStream } from '../../core/math/random.ts'
import { createNormalEquations, solve, solveRidge } from './normal-equations.ts'

const PLANTED = [2, -0.5, 0, 7]

/** Rows of three inputs of very different sizes and a constant; the target is a sum of them and some noise. */
function planted(rows: number, noise: number, seed = 'rows') {
  const draws = createDraws(createRandomStream(seed, 'ridge'))
  return Array.from({ length: rows }, () => {
    const row = Float64Array.of(draws.normal(), 3 + 100 * draws.normal(), 0.01 * draws.normal(), 1)
    const exact = row.reduce((sum, value, at) => sum + value * (PLANTED[at] ?? 0), 0)
    return { row, target: exact + noise * draws.normal() }
  })
}

function sumsOf(rows: ReturnType<typeof planted>, weight?: number) {
  const sums = createNormalEquations(4)
  for (const { row, target } of rows) sums.add(row, target, weight)
  return sums
}

describe('ridge', () => {
  test('finds planted weights', () => {
    const exact = solveRidge(sumsOf(planted(500, 0)), 0)
    PLANTED.forEach((weight, at) => {
      expect(exact[at]).toBeCloseTo(weight, 6)
    })
    const noisy = solveRidge(sumsOf(planted(50_000, 1)), 0)
    PLANTED.forEach((weight, at) => {
      // The third input is a hundredth in size, so its weight is known a hundred times less well.
      expect(Math.abs((noisy[at] ?? 0) - weight)).toBeLessThan(at === 2 ? 1.5 : 0.015)
    })
  })

  test('a penalty as large as the number of rows halves every weight, whatever its unit, and leaves the mean', () => {
    const rows = planted(20_000, 0)
    const halved = solveRidge(sumsOf(rows), rows.length)
    expect(halved[0]).toBeCloseTo(1, 1)
    expect(halved[1]).toBeCloseTo(-0.25, 2)
    const mean = rows.reduce((sum, { target }) => sum + target, 0) / rows.length
    const stated = rows.reduce(
      (sum, { row }) => sum + row.reduce((all, x, at) => all + x * (halved[at] ?? 0), 0),
      0,
    )
    expect(stated / rows.length).toBeCloseTo(mean, 6)
  })

  test('an input that never varies, or is there twice, does no harm', () => {
    const sums = createNormalEquations(4)
    for (const { row } of planted(1_000, 0)) {
      const [x = 0] = row
      sums.add(Float64Array.of(x, x, 0, 1), 3 * x + 1)
    }
    const [a = 0, b = 0, dead = 0, constant] = solveRidge(sums, 1)
    expect(a + b).toBeCloseTo(3, 2)
    expect(Math.abs(a - b)).toBeLessThan(0.1)
    expect(Math.abs(dead)).toBeLessThan(1e-3)
    expect(constant).toBeCloseTo(1, 3)
  })
})

describe('sums', () => {
  const rows = planted(300, 1)

  test('of parts make those of the whole', () => {
    const whole = sumsOf(rows)
    const parts = sumsOf(rows.slice(0, 100))
    parts.merge(sumsOf(rows.slice(100)))
    parts.gram.forEach((value, at) => {
      expect(value / (whole.gram[at] || 1)).toBeCloseTo(whole.gram[at] === 0 ? 0 : 1, 9)
    })
    parts.cross.forEach((value, at) => {
      expect(value / (whole.cross[at] ?? 0)).toBeCloseTo(1, 9)
    })
  })

  test('a weight of two is a row given twice', () => {
    const twice = sumsOf([...rows, ...rows])
    sumsOf(rows, 2).gram.forEach((value, at) => {
      expect(value).toBeCloseTo(twice.gram[at] ?? Number.NaN, 4)
    })
  })
})

test('solve solves', () => {
  // A·Aᵀ is symmetric and positive.
  const a = [
    [3, 1, 0],
    [1, 2, -1],
    [0.5, 0, 4],
  ]
  const dot = (x: readonly number[], y: readonly number[]) =>
    x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0)
  const matrix = Float64Array.from(a.flatMap((row) => a.map((other) => dot(row, other))))
  const wanted = [1, -2, 0.5]
  const right = Float64Array.from([0, 1, 2].map((i) => dot([...matrix.subarray(3 * i, 3 * i + 3)], wanted)))
  const before = right.slice()
  const found = solve(matrix, right, 3)
  wanted.forEach((value, at) => {
    expect(found[at]).toBeCloseTo(value, 12)
  })
  expect(right).toEqual(before)
})
