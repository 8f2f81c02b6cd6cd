import { expect, test } from 'vitest'
import { slopeOf } from './slope.ts'

test('the slope of a line, also of a noisy one, and none where there is no line', () => {
  expect(
    slopeOf([
      [0, 1],
      [1, 3],
      [2, 5],
    ]),
  ).toBe(2)
  expect(
    slopeOf([
      [0, 0],
      [1, 3],
      [2, 0],
      [3, 3],
    ]),
  ).toBeCloseTo(0.6)
  expect(slopeOf([[1, 3]])).toBe(0)
  expect(slopeOf([])).toBe(0)
})
