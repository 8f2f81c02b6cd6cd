import { describe, expect, test } from 'vitest'
import type { ClosedCandle } from '../signals/history/closed-candle.ts'
import { FIRST_MS } from '../testing/signals/random-candles.ts'
import { createJudge } from './judge.ts'
import type { CandlePrediction } from './run-candles.ts'

const START_S = FIRST_MS / 1000

/** Candles with these closes; the first one ends at `START_S`. */
function candlesOf(closes: readonly number[]): ClosedCandle[] {
  return closes.map((close, at) => {
    const openMs = FIRST_MS + (at - 1) * 60_000
    return { openMs, open: close, high: close, low: close, close, volume: 1 }
  })
}

function predictionAt(offsetS: number): CandlePrediction {
  return {
    windowStartS: START_S,
    asOfS: START_S + offsetS,
    probabilityUp: 0.6,
    direction: 'UP',
    confidence: 0.6,
    abstain: false,
    regime: 'neutral',
  }
}

describe('the label', () => {
  test.each([
    ['above', 101, true],
    ['below', 99.99, false],
    ['at', 100, true],
  ])('a close %s the opening price', (_, close, isUp) => {
    const judge = createJudge(candlesOf([100, 90, 110, 80, 120, close]))
    expect(judge(predictionAt(0))?.isUp).toBe(isUp)
    expect(judge(predictionAt(240))?.isUp).toBe(isUp)
  })

  test('is undefined when the minute before the window, its last minute or the current one is missing', () => {
    const candles = candlesOf([100, 101, 102, 103, 104, 105])
    const lacking = (at: number) => createJudge(candles.filter((_, index) => index !== at))
    expect(lacking(0)(predictionAt(60))).toBeUndefined()
    expect(lacking(5)(predictionAt(60))).toBeUndefined()
    expect(lacking(1)(predictionAt(60))).toBeUndefined()
    expect(lacking(3)(predictionAt(60))).toBeDefined()
  })

  test('is undefined before the window has closed', () => {
    expect(createJudge(candlesOf([100, 101, 102, 103, 104]))(predictionAt(0))).toBeUndefined()
  })
})

describe('the reference', () => {
  // Moves of one in a thousand up and down for an hour, then a window.
  const hour = Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? 100 : 100 * Math.exp(1e-3)))
  const window = [100, 100.2, 100.2, 100.2, 100.2, 99]
  const startMs = FIRST_MS + 60 * 60_000
  const candles = candlesOf([...hour, ...window]).map((candle) => ({ ...candle }))
  const judge = createJudge(candles)
  const at = (offsetS: number) =>
    judge({ ...predictionAt(0), windowStartS: startMs / 1000, asOfS: startMs / 1000 + offsetS })

  test('uses the deviation of the last hour', () => {
    expect(at(0)?.hourVolatility).toBeCloseTo(1e-3, 9)
  })

  test('says one half at the opening and Φ(z) inside', () => {
    expect(at(0)?.diffusion).toBe(0.5)
    const inside = at(60)
    const z = Math.log(100.2 / 100) / ((inside?.hourVolatility ?? 0) * 2)
    expect(z).toBeGreaterThan(0.9)
    // Φ(1) is 0.841.
    expect(inside?.diffusion).toBeCloseTo(0.5 + 0.3413 * z, 1)
    expect(at(240)?.diffusion).toBeGreaterThan(inside?.diffusion ?? 1)
  })

  test('returns what it scored', () => {
    expect(at(120)).toMatchObject({
      offsetS: 120,
      windowStartS: startMs / 1000,
      probabilityUp: 0.6,
      isUp: false,
    })
  })
})
