import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalQuantile } from './normal-quantile.ts'
import { createDraws, createRandomStream } from './random.ts'

const DRAWS = 200_000
const drawn = (make: (position: number) => number) => Array.from({ length: DRAWS }, (_, i) => make(i))
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

describe('a random stream', () => {
  it('gives the same number for the same seed, name and position, in any order', () => {
    const [one, other] = [createRandomStream('7', 'a'), createRandomStream('7', 'a')]
    const forward = Array.from({ length: 100 }, (_, i) => one.uint32(i))
    const backward = Array.from({ length: 100 }, (_, i) => other.uint32(99 - i)).reverse()
    expect(forward).toEqual(backward)
  })

  it('differs by seed, by name and beyond 32 bits of position', () => {
    const first = createRandomStream('7', 'a').uint32(5)
    expect(createRandomStream('8', 'a').uint32(5)).not.toBe(first)
    expect(createRandomStream('7', 'b').uint32(5)).not.toBe(first)
    expect(createRandomStream('7', 'a').uint32(5 + 2 ** 32)).not.toBe(first)
  })

  it('is uniform: mean, spread and no memory from one position to the next', () => {
    const values = drawn(createRandomStream('7', 'uniform').uniform)
    // Five standard errors of a uniform mean, variance and lag-one product.
    expect(Math.abs(mean(values) - 1 / 2)).toBeLessThan(5 * Math.sqrt(1 / 12 / DRAWS))
    expect(Math.abs(mean(values.map((v) => (v - 0.5) ** 2)) - 1 / 12)).toBeLessThan(
      5 * Math.sqrt(1 / 180 / DRAWS),
    )
    const products = values.slice(1).map((value, i) => (value - 0.5) * ((values[i] ?? 0) - 0.5))
    expect(Math.abs(mean(products))).toBeLessThan((5 * (1 / 12)) / Math.sqrt(DRAWS))
  })

  it('is normal: first four moments', () => {
    const values = drawn(createRandomStream('7', 'normal').normal)
    const moment = (power: number) => mean(values.map((value) => value ** power))
    expect(Math.abs(moment(1))).toBeLessThan(5 * Math.sqrt(1 / DRAWS))
    expect(Math.abs(moment(2) - 1)).toBeLessThan(5 * Math.sqrt(2 / DRAWS))
    expect(Math.abs(moment(3))).toBeLessThan(5 * Math.sqrt(15 / DRAWS))
    expect(Math.abs(moment(4) - 3)).toBeLessThan(5 * Math.sqrt(96 / DRAWS))
  })
})

describe('the normal quantile', () => {
  it.each([
    [0.5, 0],
    [0.975, 1.959963985],
    [0.001, -3.090232306],
    [1e-6, -4.753424309],
  ])('of %f is %f', (p, z) => {
    expect(normalQuantile(p)).toBeCloseTo(z, 7)
  })

  it('is odd and rises', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 0.4999, noNaN: true }), (p) => {
        expect(normalQuantile(1 - p)).toBeCloseTo(-normalQuantile(p), 5)
        expect(normalQuantile(p * 1.0001)).toBeGreaterThan(normalQuantile(p))
      }),
    )
  })
})

describe('draws', () => {
  it('repeat after a seek', () => {
    const draws = createDraws(createRandomStream('7', 'draws'))
    draws.seek(500)
    const first = [draws.uniform(), draws.normal(), draws.poisson(3), draws.below(10)]
    draws.seek(500)
    expect([draws.uniform(), draws.normal(), draws.poisson(3), draws.below(10)]).toEqual(first)
  })

  it('are Poisson with the asked mean', () => {
    const draws = createDraws(createRandomStream('7', 'poisson'))
    const counts = Array.from({ length: 20_000 }, () => draws.poisson(2.5))
    expect(Math.abs(mean(counts) - 2.5)).toBeLessThan(5 * Math.sqrt(2.5 / counts.length))
    expect(Math.abs(mean(counts.map((n) => (n - 2.5) ** 2)) - 2.5)).toBeLessThan(0.2)
  })
})
