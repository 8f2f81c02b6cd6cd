import fc from 'fast-check'
import { expect, test } from 'vitest'
import { logistic, logitOf } from './logistic.ts'

test.each([
  [0, 0.5],
  [Math.log(3), 0.75],
  [-Math.log(3), 0.25],
  [800, 1],
  [-800, 0],
])('logistic(%f) is %f', (logit, expected) => {
  expect(logistic(logit)).toBeCloseTo(expected, 12)
})

test('each undoes the other', () => {
  fc.assert(
    fc.property(fc.double({ min: -15, max: 15, noNaN: true }), (logit) => {
      expect(logitOf(logistic(logit))).toBeCloseTo(logit, 6)
    }),
  )
})
