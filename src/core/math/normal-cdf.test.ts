import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalCdf } from './normal-cdf.ts'
import { normalQuantile } from './normal-quantile.ts'

describe('the normal distribution', () => {
  // To 16 digits from tables computed in arbitrary precision.
  test.each([
    [0, 0.5],
    [0.5, 0.6914624612740131],
    [1, 0.8413447460685429],
    [1.959963984540054, 0.975],
    [2, 0.9772498680518208],
    [3, 0.9986501019683699],
    [-1, 0.15865525393145707],
    [-3, 0.0013498980316300957],
  ])('at %f is %f', (z, expected) => {
    expect(normalCdf(z)).toBeCloseTo(expected, 12)
  })

  test.each([
    [-4.9, 4.791832765903198e-7],
    [-5.1, 1.698267407147598e-7],
    [-6, 9.865876450376946e-10],
    [-8, 6.22096057427174e-16],
    [-20, 2.7536241186061556e-89],
  ])('its tail at %f is %f to six digits', (z, expected) => {
    expect(normalCdf(z) / expected).toBeCloseTo(1, 6)
  })

  test('ends at 0 and 1', () => {
    expect([normalCdf(-40), normalCdf(40)]).toEqual([0, 1])
    expect([normalCdf(Number.NEGATIVE_INFINITY), normalCdf(Number.POSITIVE_INFINITY)]).toEqual([0, 1])
  })

  test('rises, has no step where the series hands over to the fraction, and is symmetric', () => {
    let before = 0
    for (let z = -9; z <= 9; z += 0.01) {
      const p = normalCdf(z)
      expect(p).toBeGreaterThanOrEqual(before)
      expect(p + normalCdf(-z)).toBeCloseTo(1, 12)
      before = p
    }
    expect(normalCdf(-5) / normalCdf(-5 - 1e-9)).toBeCloseTo(1, 6)
  })

  test('undoes the quantile', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true }), (p) => {
        expect(normalCdf(normalQuantile(p))).toBeCloseTo(p, 6)
      }),
    )
  })
})
