import { expect, test } from 'vitest'
import { lineOf } from './prediction-line.ts'
import type { CandlePrediction } from './run-candles.ts'

function prediction(probabilityUp: number): CandlePrediction {
  return {
    probabilityUp,
    direction: 'UP',
    confidence: 0.7,
    abstain: true,
    windowStartS: 1_736_121_600,
    asOfS: 1_736_121_660,
    regime: 'choppy',
  }
}

test('is one JSON object with the agreed names in their order', () => {
  expect(lineOf('BTCUSDT', prediction(0.1234567))).toBe(
    '{"symbol":"BTCUSDT","window_start":1736121600,"as_of":1736121660,"p_up":0.123457,"direction":"DOWN","confidence":0.876543,"regime":"choppy","abstain":true}\n',
  )
})

test.each([0.4999996, 0.5, 0.4999994, 0.50000049])('never contradicts itself at %f', (probabilityUp) => {
  const { p_up, direction, confidence } = JSON.parse(lineOf('BTCUSDT', prediction(probabilityUp)))
  expect(direction).toBe(p_up >= 0.5 ? 'UP' : 'DOWN')
  expect(confidence).toBeCloseTo(Math.max(p_up, 1 - p_up), 9)
})

test.each([1e-9, 1 - 1e-9, 0, 1])('never claims to be certain: %f', (probabilityUp) => {
  const { p_up, confidence } = JSON.parse(lineOf('BTCUSDT', prediction(probabilityUp)))
  expect(p_up).toBeGreaterThan(0)
  expect(p_up).toBeLessThan(1)
  expect(confidence).toBeLessThan(1)
})
