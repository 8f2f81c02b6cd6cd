import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MINUTE_MS } from '../core/time/time.ts'
import type { Kline, Trade } from '../feeds/events.ts'
import { createCandles } from './candles.ts'
import { toFiveMinute } from './five-minute.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)

function tradeAt(atMs: number, price: number, size = 1, side: Trade['side'] = 'buy'): Trade {
  return { venue: 'coinbase', coin: 'BTC', id: 1, price, size, side, fills: 2, atMs: START_MS + atMs }
}

function klineAt(minute: number, close: number): Kline {
  const prices = { open: close, high: close + 1, low: close - 1, close }
  const openMs = START_MS + minute * MINUTE_MS
  return {
    venue: 'coinbase',
    coin: 'BTC',
    openMs,
    ...prices,
    volume: 9,
    takerBuyVolume: undefined,
    trades: undefined,
  }
}

test('trades of a minute become its candle', () => {
  const candles = createCandles({ capacity: 10 })
  candles.apply(tradeAt(1_000, 100, 1, 'buy'))
  candles.apply(tradeAt(2_000, 90, 2, 'sell'))
  candles.apply(tradeAt(59_999, 95, 3, 'buy'))
  expect(candles.last(5)).toEqual([
    {
      openMs: START_MS,
      open: 100,
      high: 100,
      low: 90,
      close: 95,
      volume: 6,
      takerBuyVolume: 4,
      trades: 6,
      complete: true,
    },
  ])
})

test('a quiet minute repeats the close and has no volume', () => {
  const candles = createCandles({ capacity: 10 })
  candles.apply(tradeAt(0, 100))
  candles.apply(tradeAt(3 * MINUTE_MS, 120))
  const quiet = { open: 100, high: 100, low: 100, close: 100, volume: 0, trades: 0 }
  expect(candles.last(10)).toMatchObject([{ close: 100 }, quiet, quiet, { open: 120 }])
})

test('a minute with missing trades is incomplete until the venue’s candle replaces it for good', () => {
  const candles = createCandles({ capacity: 10 })
  candles.apply(tradeAt(0, 100))
  candles.markIncomplete(START_MS + 30_000, START_MS + 61_000)
  candles.apply(tradeAt(MINUTE_MS, 101))
  candles.apply(tradeAt(2 * MINUTE_MS, 102))
  expect(candles.last(3).map(({ complete }) => complete)).toEqual([false, false, true])
  candles.seed(klineAt(0, 500))
  candles.apply(tradeAt(1_000, 777))
  candles.markIncomplete(START_MS, START_MS + 30_000)
  expect(candles.last(3)).toMatchObject([
    { close: 500, high: 501, volume: 9, complete: true },
    { complete: false },
    {},
  ])
})

test('however many minutes come, the newest are kept and older ones cannot return', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 80 }), (minutes) => {
      const candles = createCandles({ capacity: 7 })
      for (const minute of minutes) candles.apply(tradeAt(minute * MINUTE_MS, 100 + minute))
      const newest = Math.max(...minutes)
      const held = candles.last(100)
      expect(held.length).toBeLessThanOrEqual(7)
      expect(held.at(-1)).toMatchObject({ openMs: START_MS + newest * MINUTE_MS, close: 100 + newest })
      for (const { openMs } of held) expect(openMs).toBeGreaterThan(START_MS + (newest - 7) * MINUTE_MS)
    }),
  )
})

test('revision rises when a closed minute changes, not with trades of the open one', () => {
  const candles = createCandles({ capacity: 10 })
  candles.apply(tradeAt(MINUTE_MS, 100))
  const before = candles.revision
  candles.apply(tradeAt(MINUTE_MS + 1, 101))
  expect(candles.revision).toBe(before)
  candles.seed(klineAt(0, 5))
  expect(candles.revision).toBeGreaterThan(before)
})

test('five-minute candles join whole windows and start at a window', () => {
  const candles = createCandles({ capacity: 30 })
  for (let minute = 3; minute < 12; minute++)
    candles.apply(tradeAt(minute * MINUTE_MS, 100 + minute, 1, 'sell'))
  expect(toFiveMinute(candles.last(30))).toMatchObject([
    {
      openMs: START_MS + 5 * MINUTE_MS,
      open: 105,
      high: 109,
      low: 105,
      close: 109,
      volume: 5,
      takerBuyVolume: 0,
    },
    { openMs: START_MS + 10 * MINUTE_MS, open: 110, close: 111, volume: 2, trades: 4 },
  ])
})
