import { expect, test } from 'vitest'
import { wilsonInterval } from './wilson.ts'

// Published figures: Wilson (1927) as tabulated by Newcombe, Statistics in Medicine 17 (1998), table I.
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('%i of %i lies between %f and %f', (hits, trials, low, high) => {
  const interval = wilsonInterval(hits, trials)
  expect(interval.low).toBeCloseTo(low, 4)
  expect(interval.high).toBeCloseTo(high, 4)
})

test('nothing tried, nothing known; all or none hit stays within 0 and 1', () => {
  expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 })
  expect(wilsonInterval(0, 5).low).toBeCloseTo(0, 12)
  expect(wilsonInterval(5, 5).high).toBeCloseTo(1, 12)
})
