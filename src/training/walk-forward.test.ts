import { describe, expect, test } from 'vitest'
import type { Coin } from '../core/coin.ts'
import { createDraws, createRandomStream } from '../core/math/random.ts'
import { DAY_MS } from '../core/time/time.ts'
import type { ClosedCandle } from '../signals/history/closed-candle.ts'
import { searchSize } from '../testing/search-size.ts'
import { randomCandles } from '../testing/signals/random-candles.ts'
import { createFitter } from './fit/fit-model.ts'
import { buildDataset } from './history/dataset.ts'
import type { Stretch } from './history/history-files.ts'
import { walkForward } from './walk-forward.ts'

const BLOCK_MS = Date.UTC(2025, 2, 1)
const DAYS_BEFORE = searchSize('training-days')
const DAYS_OF_BLOCK = 3
const COUNT = (DAYS_BEFORE + DAYS_OF_BLOCK) * 1_440

function history(change: (candles: ClosedCandle[]) => ClosedCandle[] = (candles) => candles): Stretch[] {
  return (['BTC', 'ETH'] as const).map((coin: Coin) => ({
    coin,
    file: `${coin}.csv`,
    candles: change(
      randomCandles({ seed: coin, count: COUNT, startMs: BLOCK_MS - DAYS_BEFORE * DAY_MS, carry: -0.2 }),
    ),
  }))
}

/** Everything from `fromMs` on is another market, wilder and in disorder. */
function broken(fromMs: number): (candles: ClosedCandle[]) => ClosedCandle[] {
  const draws = createDraws(createRandomStream('broken', 'future'))
  return (candles) =>
    candles.map((candle) => {
      if (candle.openMs < fromMs) return candle
      const [open, close] = [100 * Math.exp(0.1 * draws.normal()), 100 * Math.exp(0.1 * draws.normal())]
      return { ...candle, open, close, high: Math.max(open, close), low: Math.min(open, close), volume: 1e6 }
    })
}

const run = (stretches: readonly Stretch[]) =>
  walkForward({ stretches, dataset: buildDataset(stretches, () => {}), fromMs: BLOCK_MS, onBlock: () => {} })

describe('a model never sees the block it is scored on', () => {
  const calm = run(history())

  test('nor the day before it: its numbers stay when both are replaced', () => {
    const untilMs = BLOCK_MS - DAY_MS
    const fitTo = (stretches: readonly Stretch[]) =>
      createFitter(buildDataset(stretches, () => {})).fitUntil(untilMs)
    const fit = fitTo(history())
    expect(fitTo(history(broken(untilMs)))).toEqual(fit)
    expect(fitTo(history(broken(untilMs - DAY_MS)))).not.toEqual(fit)
  })

  test('its predictions for the block’s first day stay when the others are replaced', () => {
    const secondDayMs = BLOCK_MS + DAY_MS
    const isEarly = ({ windowStartS }: { windowStartS: number }) =>
      windowStartS * 1000 + 300_000 <= secondDayMs
    const early = calm.filter(isEarly)
    expect(early.length).toBe(2 * 5 * 288)
    const other = run(history(broken(secondDayMs)))
    expect(other.filter(isEarly)).toEqual(early)
    expect(other).not.toEqual(calm)
  })

  test('all of the block’s windows are scored, at five moments, and none before it', () => {
    expect(calm.length).toBe(2 * 5 * (DAYS_OF_BLOCK * 288 - 1) + 2 * 5)
    expect(Math.min(...calm.map(({ windowStartS }) => windowStartS))).toBe(BLOCK_MS / 1000)
    expect(new Set(calm.map(({ offsetS }) => offsetS))).toEqual(new Set([0, 60, 120, 180, 240]))
    expect(new Set(calm.map(({ coin }) => coin))).toEqual(new Set(['BTC', 'ETH']))
  })
})
