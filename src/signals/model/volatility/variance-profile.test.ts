import { describe, expect, test } from 'vitest'
import { createDraws, createRandomStream } from '../../../core/math/random.ts'
import { createVarianceProfile } from './variance-profile.ts'

const PRIOR = [1.4, 1.1, 0.9, 0.8, 1.3]
const STEPS_PER_MIN = 60
const PATHS = 4_000

/** Variance of what a path has still to do from `elapsedMin` on: to its end, and to its mean over the last minute. */
function simulate(elapsedMin: number): { end: number; mean: number } {
  const draws = createDraws(createRandomStream('paths', String(elapsedMin)))
  const from = Math.round(elapsedMin * STEPS_PER_MIN)
  let [end, mean] = [0, 0]
  for (let path = 0; path < PATHS; path++) {
    let [price, sum] = [0, 0]
    for (let step = from; step < 5 * STEPS_PER_MIN; step++) {
      price += draws.normal() * Math.sqrt((PRIOR[Math.floor(step / STEPS_PER_MIN)] ?? 0) / STEPS_PER_MIN)
      // Steps of the last minute that lie before `from` stood at 0, where the path starts.
      if (step >= 4 * STEPS_PER_MIN) sum += price
    }
    end += price ** 2 / PATHS
    mean += (sum / STEPS_PER_MIN) ** 2 / PATHS
  }
  return { end, mean }
}

describe('against simulated paths', () => {
  const profile = createVarianceProfile(PRIOR)

  test.each([0, 0.5, 1, 2.75, 3.9, 4, 4.25, 4.5, 4.75])('%f minutes into the window', (elapsedMin) => {
    const { end, mean } = simulate(elapsedMin)
    // 4,000 paths know a variance to 2 %; steps of a second coarsen the mean by one step in what is left.
    expect(profile.left(elapsedMin) / end).toBeGreaterThan(0.92)
    expect(profile.left(elapsedMin) / end).toBeLessThan(1.08)
    const coarse = 1 + 1.5 / Math.min(60, (5 - elapsedMin) * STEPS_PER_MIN)
    expect(profile.leftOfMean(elapsedMin) / (mean / coarse)).toBeGreaterThan(0.92)
    expect(profile.leftOfMean(elapsedMin) / (mean / coarse)).toBeLessThan(1.08)
  })

  test('both fall all along, without a jump, to nothing', () => {
    for (const left of [profile.left, profile.leftOfMean]) {
      for (let s = 0; s < 300; s++) {
        const step = left(s / 60) - left((s + 1) / 60)
        expect(step).toBeGreaterThan(0)
        expect(step).toBeLessThan(1.5 / 60)
      }
      expect(left(5)).toBe(0)
    }
  })
})

test('a mean over the last minute has less to come than its end', () => {
  const { left, leftOfMean } = createVarianceProfile(PRIOR)
  for (let s = 0; s < 300; s += 7) expect(leftOfMean(s / 60)).toBeLessThan(left(s / 60))
})

describe('learning', () => {
  test('comes to what minutes show, over weeks', () => {
    const profile = createVarianceProfile([1, 1, 1, 1, 1])
    const random = createRandomStream('learn', 'moves')
    const last = () => profile.left(4)
    for (let window = 0; window < 5 * 2_016; window++) profile.learn(4, Math.SQRT2 * random.normal(window))
    expect(last()).toBeGreaterThan(1.8)
    expect(last()).toBeLessThan(2.15)
    expect(profile.left(0) - last()).toBe(4)
  })

  test('one day moves it by a seventh at most', () => {
    const profile = createVarianceProfile([1, 1, 1, 1, 1])
    for (let window = 0; window < 288; window++) profile.learn(0, 0)
    expect(profile.left(0)).toBeGreaterThan(4.86)
    expect(profile.left(0)).toBeLessThan(4.88)
  })

  test('one wild minute does not become the profile', () => {
    const profile = createVarianceProfile([1, 1, 1, 1, 1])
    profile.learn(2, -1e6)
    expect(profile.left(0)).toBeCloseTo(5 + 15 / 2_016, 12)
  })

  test('the prior is copied, not written to', () => {
    const prior = [1, 1, 1, 1, 1]
    createVarianceProfile(prior).learn(0, 3)
    expect(prior).toEqual([1, 1, 1, 1, 1])
  })
})
