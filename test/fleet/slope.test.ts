import { expect, test } from 'vitest'
import { slopeOf } from './slope.ts'

test('the slope of a line and how sure it is, and none where there is no line', () => {
  const straight = [
    [0, 1],
    [1, 3],
    [2, 5],
  ] as const
  expect(slopeOf(straight)).toEqual({ slope: 2, error: 0 })
  const noisy = [
    [0, 0],
    [1, 3],
    [2, 0],
    [3, 3],
  ] as const
  // By hand: 7.2 of squares are missed, two are free, and x is spread by 5.
  expect(slopeOf(noisy).slope).toBeCloseTo(0.6)
  expect(slopeOf(noisy).error).toBeCloseTo(Math.sqrt(7.2 / 2 / 5))
  expect(slopeOf([[1, 3]])).toEqual({ slope: 0, error: 0 })
  expect(slopeOf([])).toEqual({ slope: 0, error: 0 })
})

test('noise that stays for a while is not taken for many samples', () => {
  const noise = [1, -1, -1, 1, -1, 1, 1, -1]
  const errorOf = (ys: readonly number[]) => slopeOf(ys.map((y, x) => [x / ys.length, y])).error
  const held = noise.flatMap((y) => Array<number>(8).fill(y))
  const plain = errorOf(noise)
  // Eight times the samples that say nothing new: without a correction the error would be a third of it.
  expect(errorOf(held)).toBeGreaterThan(0.7 * plain)
  expect(errorOf(held)).toBeLessThan(1.5 * plain)
})
