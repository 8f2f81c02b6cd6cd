import { expect, test } from 'vitest'
import { logistic } from '../../core/math/logistic.ts'
import { createRandomStream } from '../../core/math/random.ts'
import { OWN_FEATURES } from '../../signals/model/own/own-features.ts'
import { fitOwn } from './fit-own.ts'
import type { OwnRow } from './own-rows.ts'

const [TOLD, NOISE, UNKNOWN] = [0, 1, 2]
const WEIGHT = 0.5
const random = createRandomStream('fit', 'own')

/** At every minute of the window the logit is what the model said, and half of the first feature. */
function rowsOf(count: number, weight: number, fromMs: number): OwnRow[] {
  return Array.from({ length: count }, (_, at) => {
    const features = new Float32Array(OWN_FEATURES.length)
    features[TOLD] = random.normal(8 * at)
    features[NOISE] = random.normal(8 * at + 1)
    const logit = random.normal(8 * at + 2)
    const isUp = random.uniform(8 * at + 3) < logistic(logit + weight * (features[TOLD] ?? 0))
    return { offset: at % 5, endMs: fromMs + at, logit, features, isUp }
  })
}

test('finds the weight of what tells something, next to none for noise, and none for what was never known', () => {
  for (const weights of fitOwn(rowsOf(50_000, WEIGHT, 0), Number.POSITIVE_INFINITY)) {
    // Shrunk by a fifth: 10,000 rows of a curvature of about a sixth against a penalty of 400.
    expect(weights[TOLD]).toBeGreaterThan(0.7 * WEIGHT)
    expect(weights[TOLD]).toBeLessThan(1.05 * WEIGHT)
    expect(Math.abs(weights[NOISE] ?? 1)).toBeLessThan(0.07)
    expect(weights[UNKNOWN]).toBe(0)
  }
})

test('windows that end later do not matter, to the last bit', () => {
  const past = rowsOf(2_000, WEIGHT, 0)
  const untilMs = 2_000
  const fit = fitOwn(past, untilMs)
  expect(fitOwn([...past, ...rowsOf(2_000, -3, untilMs + 1)], untilMs)).toEqual(fit)
  expect(fitOwn([...past, ...rowsOf(2_000, -3, untilMs)], untilMs + 9)).not.toEqual(fit)
})

test('without any rows nothing is added', () => {
  expect(
    fitOwn([], 0)
      .flat()
      .every((weight) => weight === 0),
  ).toBe(true)
})
