import { describe, expect, test } from 'vitest'
import { FIRST_MS, randomCandles } from '../../../testing/signals/random-candles.ts'
import { volatilityAsOf } from '../../../testing/signals/sample-model.ts'
import { createMinuteHistory } from '../../history/minute-history.ts'
import { fillVolatilityInputs, VOLATILITY_INPUTS, volatilityOf } from './volatility.ts'

function inputsAfter(wanted: Parameters<typeof randomCandles>[0]): Float64Array {
  const history = createMinuteHistory()
  for (const candle of randomCandles(wanted)) history.apply(candle)
  const inputs = new Float64Array(VOLATILITY_INPUTS).fill(Number.NaN)
  fillVolatilityInputs(inputs, history)
  return inputs
}

describe('on a walk of one volatility', () => {
  test.each([1e-4, 6e-4, 5e-3])('%f is found', (volatility) => {
    const inputs = inputsAfter({ seed: 'constant', count: 6_000, volatility })
    const { weights, intercept } = volatilityAsOf(1440)
    // About 4,000 minutes carry weight: one part in a hundred is one standard error.
    expect(volatilityOf(inputs, weights, intercept) / volatility).toBeCloseTo(1, 1)
  })

  test('ranges give it too, when a minute has a path inside', () => {
    const volatility = 6e-4
    const inputs = inputsAfter({ seed: 'constant', count: 3_000, volatility })
    // The generated range is open to close and a little more, so it is smaller than that of a path.
    expect(Math.exp(inputs[9] ?? 0) / volatility).toBeGreaterThan(0.5)
    expect(Math.exp(inputs[9] ?? 0) / volatility).toBeLessThan(1.1)
  })
})

test('weights multiply the logarithms: half a weight is a square root', () => {
  const inputs = Float64Array.from({ length: VOLATILITY_INPUTS }, () => Math.log(0.01))
  const one = volatilityOf(inputs, [1], 0)
  const half = volatilityOf(inputs, [0.5], 0)
  expect(half / one).toBeCloseTo(10, 9)
  expect(volatilityOf(inputs, [1], Math.log(3))).toBeCloseTo(3 * one, 12)
})

test.each([
  [0, [0, 1, 0, 1]],
  [6, [1, 0, 0, -1]],
  [12, [0, -1, 0, 1]],
  [18, [-1, 0, 0, -1]],
  [3, [Math.SQRT1_2, Math.SQRT1_2, 1, 0]],
])('at %i o’clock UTC the time of day is told by two harmonics', (hour, expected) => {
  const count = 10
  const startMs = FIRST_MS + hour * 3_600_000 - count * 60_000
  const inputs = inputsAfter({ seed: 'clock', count, startMs })
  expected.forEach((value, at) => {
    expect(inputs[VOLATILITY_INPUTS - 4 + at]).toBeCloseTo(value, 12)
  })
})

test('a market that stands still has a volatility above 0', () => {
  const history = createMinuteHistory()
  history.apply({ openMs: FIRST_MS, open: 1, high: 1, low: 1, close: 1, volume: 0 })
  const inputs = new Float64Array(VOLATILITY_INPUTS)
  fillVolatilityInputs(inputs, history)
  const { weights, intercept } = volatilityAsOf(60)
  expect(volatilityOf(inputs, weights, intercept)).toBeCloseTo(1e-7, 12)
})
