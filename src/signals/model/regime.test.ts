import { describe, expect, test } from 'vitest'
import { FIRST_MS, randomCandles } from '../../testing/signals/random-candles.ts'
import { createMinuteHistory, type MinuteHistory } from '../history/minute-history.ts'
import { regimeOf } from './regime.ts'

const UNIT = 1e-4

/** A history of these moves, in units of a basis point, after a day of alternating ones of size 1. */
function historyOf(moves: readonly number[], usual = 1): MinuteHistory {
  const history = createMinuteHistory()
  const day = Array.from({ length: 1_440 }, (_, at) => (at % 2 === 0 ? usual : -usual))
  let log = 0
  ;[...day, ...moves].forEach((move, at) => {
    const open = Math.exp(log)
    log += move * UNIT
    const close = Math.exp(log)
    const [low, high] = [Math.min(open, close), Math.max(open, close)]
    history.apply({ openMs: FIRST_MS + at * 60_000, open, high, low, close, volume: 1 })
  })
  return history
}

const repeat = (count: number, pattern: readonly number[]) =>
  Array.from({ length: count }, (_, at) => pattern[at % pattern.length] ?? 0)

describe('the five', () => {
  test('trending: an hour mostly one way, either way', () => {
    expect(regimeOf(historyOf(repeat(60, [2, 2, -1])))).toBe('trending')
    expect(regimeOf(historyOf(repeat(60, [-2, -2, 1])))).toBe('trending')
  })

  test('momentum: a quarter of an hour one way with rising volatility, the hour was not', () => {
    expect(regimeOf(historyOf([...repeat(45, [2, -2.6]), ...repeat(15, [3, 3, -1])]))).toBe('momentum')
    expect(regimeOf(historyOf([...repeat(45, [-2, 2.6]), ...repeat(15, [-3, -3, 1])]))).toBe('momentum')
  })

  test('mean reversion: RSI is stretched, but neither the hour nor the quarter went one way', () => {
    // A long path that led nowhere, then falls outweigh rises without being most of the quarter's path.
    const moves = [...repeat(30, [4, -4]), ...repeat(20, [0.1, -0.1]), ...repeat(10, [-3, 0.5])]
    const history = historyOf(moves)
    expect(history.strength(0)).toBeLessThan(-0.4)
    expect(regimeOf(history)).toBe('mean_reversion')
  })

  test('choppy: much movement that leads nowhere, and no less than before', () => {
    expect(regimeOf(historyOf(repeat(60, [3, -3])))).toBe('choppy')
  })

  test('neutral: it leads nowhere, but is calming down', () => {
    expect(regimeOf(historyOf([...repeat(40, [3, -3]), ...repeat(20, [0.5, -0.5])]))).toBe('neutral')
  })
})

describe('precedence', () => {
  test('an hour that trends is not called momentum or stretched', () => {
    const history = historyOf(repeat(60, [2]))
    expect(history.strength(0)).toBeGreaterThan(0.9)
    expect(regimeOf(history)).toBe('trending')
  })

  test('a quarter of momentum is not called stretched', () => {
    const history = historyOf([...repeat(45, [2, -2.6]), ...repeat(15, [3, 3, -1])])
    expect(history.strength(0)).toBeGreaterThan(0.4)
    expect(regimeOf(history)).toBe('momentum')
  })

  test('without rising volatility the same quarter is stretched only', () => {
    const history = historyOf([
      ...repeat(30, [6, -6]),
      ...repeat(15, [0.1, -0.1]),
      ...repeat(15, [1.5, 1.5, -0.2]),
    ])
    expect(history.strength(0)).toBeGreaterThan(0.4)
    expect(regimeOf(history)).toBe('mean_reversion')
  })
})

test('a market that stands still is neutral or choppy, never one with a direction', () => {
  expect(['neutral', 'choppy']).toContain(regimeOf(historyOf(repeat(60, [0]))))
})

test('a random walk is each of them at times, and trending about once in thirty', () => {
  const history = createMinuteHistory()
  const seen = new Map<string, number>()
  const candles = randomCandles({ seed: 'regimes', count: 20_000 })
  candles.forEach((candle, at) => {
    history.apply(candle)
    if (at >= 720) seen.set(regimeOf(history), (seen.get(regimeOf(history)) ?? 0) + 1)
  })
  expect([...seen.keys()].sort()).toEqual(['choppy', 'mean_reversion', 'momentum', 'neutral', 'trending'])
  const share = (seen.get('trending') ?? 0) / (candles.length - 720)
  expect(share).toBeGreaterThan(0.02)
  expect(share).toBeLessThan(0.06)
})
