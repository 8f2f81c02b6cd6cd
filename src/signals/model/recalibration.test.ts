import { describe, expect, test } from 'vitest'
import { logistic } from '../../core/math/logistic.ts'
import { createRandomStream } from '../../core/math/random.ts'
import { createRecalibration, type Recalibration } from './recalibration.ts'

const MONTH = 8_640

/** Windows whose true logit is a function of the stated one. */
function teach(
  recalibration: Recalibration,
  windows: number,
  truth: (logit: number) => number,
  seed = 'windows',
) {
  const logits = createRandomStream(seed, 'logits')
  const outcomes = createRandomStream(seed, 'outcomes')
  for (let window = 0; window < windows; window++) {
    const logit = 1.5 * logits.normal(window)
    recalibration.learn(logit, outcomes.uniform(window) < logistic(truth(logit)))
  }
}

const shiftOf = ({ correct }: Recalibration) => correct(0)
const stretchOf = ({ correct }: Recalibration) => correct(1) - correct(0) - 1

test('changes nothing before it has learnt', () => {
  const { correct } = createRecalibration()
  for (const logit of [-5, 0, 0.3, 12]) expect(correct(logit)).toBe(logit)
})

describe('stays near what it was given when that is right', () => {
  test.each(['a', 'b', 'c', 'd'])('run %s', (seed) => {
    const recalibration = createRecalibration()
    teach(recalibration, 6 * MONTH, (logit) => logit, seed)
    expect(Math.abs(shiftOf(recalibration))).toBeLessThan(0.06)
    expect(Math.abs(stretchOf(recalibration))).toBeLessThan(0.06)
  })
})

test('learns a stretch, never more than there is', () => {
  const recalibration = createRecalibration()
  teach(recalibration, 288, (logit) => 0.8 * logit)
  expect(stretchOf(recalibration)).toBeLessThan(0)
  expect(stretchOf(recalibration)).toBeGreaterThan(-0.2)
  teach(recalibration, 4 * MONTH, (logit) => 0.8 * logit)
  expect(stretchOf(recalibration)).toBeLessThan(-0.14)
  expect(stretchOf(recalibration)).toBeGreaterThan(-0.22)
})

test('learns a shift slowly: a base rate hardly moves', () => {
  const recalibration = createRecalibration()
  teach(recalibration, 288, (logit) => logit + 0.1)
  expect(Math.abs(shiftOf(recalibration))).toBeLessThan(0.05)
  teach(recalibration, 6 * MONTH, (logit) => logit + 0.1)
  expect(shiftOf(recalibration)).toBeGreaterThan(0.03)
  expect(shiftOf(recalibration)).toBeLessThan(0.12)
})

test('forgets what is no longer so', () => {
  const recalibration = createRecalibration()
  teach(recalibration, 4 * MONTH, (logit) => 0.7 * logit)
  const then = stretchOf(recalibration)
  teach(recalibration, 6 * MONTH, (logit) => logit, 'later')
  expect(then).toBeLessThan(-0.2)
  expect(Math.abs(stretchOf(recalibration))).toBeLessThan(0.06)
})

test('a lucky day, 56 in 100 where one half was stated, moves that by about a point at most', () => {
  const recalibration = createRecalibration()
  for (let window = 0; window < 288; window++) recalibration.learn(0, window % 25 < 14)
  expect(logistic(recalibration.correct(0)) - 0.5).toBeGreaterThan(0)
  expect(logistic(recalibration.correct(0)) - 0.5).toBeLessThan(0.015)
})

describe('never diverges', () => {
  test.each([8, 20, 40, 1e3, 1e6])('when certainties of logit %f are wrong half of the time', (extreme) => {
    const recalibration = createRecalibration()
    const random = createRandomStream('extreme', String(extreme))
    for (let window = 0; window < MONTH; window++) {
      const logit = random.uniform(2 * window) < 0.5 ? -extreme : extreme
      recalibration.learn(logit, random.uniform(2 * window + 1) < 0.5)
      expect(Math.abs(shiftOf(recalibration))).toBeLessThan(0.5)
      expect(stretchOf(recalibration)).toBeLessThan(0.5)
      // At −1 nothing is left of what was stated.
      expect(stretchOf(recalibration)).toBeGreaterThan(-1.1)
    }
  })

  test('one wrong certainty does not undo what months have taught', () => {
    const recalibration = createRecalibration()
    teach(recalibration, 3 * MONTH, (logit) => logit)
    const before = stretchOf(recalibration)
    recalibration.learn(20, false)
    expect(Math.abs(stretchOf(recalibration) - before)).toBeLessThan(0.05)
  })
})
