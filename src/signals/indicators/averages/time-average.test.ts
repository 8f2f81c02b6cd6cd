import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTimeAverage } from './time-average.ts'

test('a value counts for as long as it lasted, not for how often it was set', () => {
  const average = createTimeAverage(1_000)
  average.set(1, 0)
  average.set(0, 1_000)
  for (let atMs = 1_000; atMs <= 2_000; atMs += 10) average.set(0, atMs)
  // Weights over the last second and the one before are as 1 to 1/e.
  expect(average.read(2_000)).toBeCloseTo(1 / (Math.E + 1), 12)
})

test('it is the first value right away, and nothing before the reset is left in it', () => {
  const average = createTimeAverage(1_000)
  expect(average.read(5_000)).toBeUndefined()
  average.set(0.5, 5_000)
  for (const nowMs of [4_000, 5_000, 5_001, 60_000]) expect(average.read(nowMs)).toBe(0.5)
  average.reset()
  expect(average.read(9_000)).toBeUndefined()
  average.set(-1, 9_000)
  for (const nowMs of [9_000, 9_001, 60_000]) expect(average.read(nowMs)).toBe(-1)
})

test('a late value counts from now on and time does not move back', () => {
  const average = createTimeAverage(1_000)
  average.set(1, 0)
  average.set(1, 2_000)
  average.set(-1, 500)
  expect(average.read(2_000)).toBe(1)
  const later = average.read(3_000)
  expect(later).toBeLessThan(0)
  expect(later).toBeGreaterThan(-1)
})

test('it equals the weighted integral of the values, and never leaves their range', () => {
  const step = fc.record({
    value: fc.double({ min: -1, max: 1, noNaN: true }),
    heldMs: fc.integer({ min: 0, max: 3_000 }),
  })
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
      const average = createTimeAverage(2_000)
      const spans: { value: number; fromMs: number; toMs: number }[] = []
      let nowMs = 0
      for (const { value, heldMs } of steps) {
        average.set(value, nowMs)
        spans.push({ value, fromMs: nowMs, toMs: nowMs + heldMs })
        nowMs += heldMs
      }
      const reading = average.read(nowMs)
      if (nowMs === 0) {
        expect(reading).toBe(steps.at(-1)?.value)
        return
      }
      const weighed = spans.map(({ value, fromMs, toMs }) => ({
        value,
        weight: Math.exp((toMs - nowMs) / 2_000) - Math.exp((fromMs - nowMs) / 2_000),
      }))
      const total = weighed.reduce((sum, { weight }) => sum + weight, 0)
      const expected = weighed.reduce((sum, { value, weight }) => sum + value * weight, 0) / total
      expect(Math.abs((reading ?? Number.NaN) - expected)).toBeLessThan(1e-9)
      expect(Math.abs(reading ?? Number.NaN)).toBeLessThanOrEqual(1)
    }),
  )
})
