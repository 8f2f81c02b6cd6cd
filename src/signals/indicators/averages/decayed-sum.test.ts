import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDecayedSum } from './decayed-sum.ts'

test('one time constant leaves 1/e of a term', () => {
  const sum = createDecayedSum(1_000)
  expect(sum.read(5)).toBe(0)
  sum.add(8, 10_000)
  expect(sum.read(10_000)).toBe(8)
  expect(sum.read(11_000)).toBeCloseTo(8 / Math.E, 12)
  sum.add(1, 12_000)
  expect(sum.read(12_000)).toBeCloseTo(8 / Math.E ** 2 + 1, 12)
})

test('a reading changes nothing and the past cannot be read', () => {
  const sum = createDecayedSum(1_000)
  sum.add(8, 10_000)
  sum.read(99_000)
  expect(sum.read(10_000)).toBe(8)
  expect(sum.read(1)).toBe(8)
})

test('whatever the order of arrival, it is the sum of terms weighted by their age', () => {
  const term = fc.record({
    value: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    atMs: fc.integer({ min: 0, max: 20_000 }),
  })
  fc.assert(
    fc.property(fc.array(term, { minLength: 1, maxLength: 40 }), fc.nat(5_000), (terms, waitMs) => {
      const sum = createDecayedSum(3_000)
      for (const { value, atMs } of terms) sum.add(value, atMs)
      const nowMs = Math.max(...terms.map(({ atMs }) => atMs)) + waitMs
      const expected = terms.reduce(
        (all, { value, atMs }) => all + value * Math.exp((atMs - nowMs) / 3_000),
        0,
      )
      expect(Math.abs(sum.read(nowMs) - expected)).toBeLessThan(1e-6)
    }),
  )
})
