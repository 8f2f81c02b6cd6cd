import { expect, test } from 'vitest'
import { BASIS_TIME_CONSTANT_MS, createBasisTracker } from './basis.ts'

test('the basis starts at the first pair of mids and follows by the time constant', () => {
  const tracker = createBasisTracker()
  tracker.observe(101, 1_000, 100, 900)
  expect(tracker.read()).toMatchObject({ log: Math.log(1.01), asOfMs: 900 })
  tracker.observe(100, 900 + BASIS_TIME_CONSTANT_MS, 100, 900 + BASIS_TIME_CONSTANT_MS)
  expect(tracker.read()?.log).toBeCloseTo(Math.log(1.01) / Math.E, 12)
})

test('mids of different times, wild ones and the past change nothing', () => {
  const tracker = createBasisTracker()
  tracker.observe(100.1, 10_000, 100, 10_000)
  const before = tracker.read()
  tracker.observe(101, 20_000, 100, 12_000)
  tracker.observe(200, 20_000, 100, 20_000)
  tracker.observe(Number.NaN, 20_000, 100, 20_000)
  tracker.observe(101, 9_000, 100, 9_000)
  expect(tracker.read()).toEqual(before)
})
