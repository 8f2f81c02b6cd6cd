import { expect, test } from 'vitest'
import { FEATURES, QUIET } from './features.ts'
import { clampZ, type Head, movingPart, steadyPart, tieInput } from './head.ts'

const head: Head = {
  slope: 1.5,
  bend: 0.3,
  curve: -0.2,
  tie: 0.7,
  weights: FEATURES.map((_, at) => at / 10),
  intercept: 0.25,
}
const features = Float64Array.from(FEATURES, (_, at) => (at % 2 === 0 ? 0.5 : -0.25))

test('the steady part is the intercept and the weighted features', () => {
  const sum = FEATURES.reduce((total, _, at) => total + (at / 10) * (features[at] ?? 0), 0.25)
  expect(steadyPart(head, features)).toBeCloseTo(sum, 12)
})

test('the moving part is a line, its bends and the weight of a tie', () => {
  const quiet = features[QUIET] ?? 0
  for (const z of [-3, -0.5, 0, 0.5, 3]) {
    const bent = Math.tanh(z)
    const expected = 1.5 * z + 0.3 * bent - 0.2 * bent * bent * bent + 0.7 * quiet * Math.exp((-z * z) / 2)
    expect(movingPart(head, z, features)).toBeCloseTo(expected, 12)
  }
})

test('a tie weighs most at the opening price and the same on both sides', () => {
  expect(tieInput(0, features)).toBe(features[QUIET])
  expect(tieInput(1, features)).toBe(tieInput(-1, features))
  expect(tieInput(1, features)).toBeLessThan(tieInput(0.5, features))
  expect(tieInput(0, new Float64Array(FEATURES.length))).toBe(0)
})

test('distances beyond eight deviations count as eight', () => {
  expect([clampZ(9), clampZ(-1e9), clampZ(Number.POSITIVE_INFINITY), clampZ(1.25)]).toEqual([8, -8, 8, 1.25])
})
