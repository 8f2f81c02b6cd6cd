import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MINUTE_MS } from '../core/time/time.ts'
import type { Kline, Trade } from '../feeds/events.ts'
import { createCandles } from './candles.ts'
import { toFiveMinute } from './five-minute.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)

function tradeAt(atMs: number, price: number, size = 1, side: Trade['side'] = 'buy', id = 1): Trade {
  return { venue: 'coinbase', coin: 'BTC', id, price, size, side, fills: 2, atMs: START_MS + atMs }
}

/** Trades at these seconds, by id from 1 on; a missing id is a missing trade. */
function candlesOf(seconds: Readonly<Record<number, number>>) {
  const candles = createCandles({ capacity: 10 })
  for (const [id, second] of Object.entries(seconds))
    candles.apply(tradeAt(second * 1_000, 100 + Number(id), 1, 'buy', Number(id)))
  const states = () =>
    candles
      .last(10)
      .map(({ complete, isFinal, isLost }) =>
        isFinal ? 'final' : isLost ? 'lost' : complete ? 'so far' : 'half',
      )
  return { candles, states }
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
      complete: false,
      isFinal: false,
      isLost: false,
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

test('a minute is final once ids without a hole lead from a trade before it to one after it', () => {
  expect(candlesOf({ 1: 50 }).states()).toEqual(['half'])
  expect(candlesOf({ 1: 50, 2: 61 }).states()).toEqual(['half', 'so far'])
  expect(candlesOf({ 1: 50, 2: 61, 3: 119 }).states()).toEqual(['half', 'so far'])
  expect(candlesOf({ 1: 50, 2: 61, 3: 119, 4: 120 }).states()).toEqual(['half', 'final', 'so far'])
})

test('a minute without trades is final too, and flat, when the next trade follows the last', () => {
  const { candles, states } = candlesOf({ 1: 50, 2: 61, 3: 250 })
  expect(states()).toEqual(['half', 'final', 'final', 'final', 'so far'])
  expect(candles.last(3)[0]).toMatchObject({ open: 102, close: 102, volume: 0, trades: 0 })
})

test('a missing trade leaves every minute that it may be of unproven', () => {
  expect(candlesOf({ 1: 50, 2: 61, 4: 65, 5: 120 }).states()).toEqual(['half', 'half', 'so far'])
  expect(candlesOf({ 1: 50, 2: 61, 4: 125, 5: 180 }).states()).toEqual(['half', 'half', 'half', 'so far'])
  expect(candlesOf({ 1: 50, 2: 61, 4: 190 }).states()).toEqual(['half', 'half', 'half', 'half'])
})

test('a minute in doubt is not complete until the trade that follows, and final only then', () => {
  const { candles, states } = candlesOf({ 1: 50, 2: 61 })
  candles.doubtTrades()
  expect(states()).toEqual(['half', 'half'])
  candles.apply(tradeAt(70_000, 105, 1, 'buy', 3))
  expect(states()).toEqual(['half', 'so far'])
})

test('the venue’s candle of a half minute is final, and trades of it change nothing', () => {
  const { candles, states } = candlesOf({ 1: 0, 2: 61 })
  candles.seed(klineAt(0, 500))
  candles.apply(tradeAt(1_000, 777, 1, 'buy', 7))
  expect(states()).toEqual(['final', 'half'])
  expect(candles.last(2)[0]).toMatchObject({ close: 500, high: 501, volume: 9 })
})

test('a lost minute is said to be lost, unless it comes after all', () => {
  const { candles, states } = candlesOf({ 1: 50, 3: 125 })
  candles.markLost(START_MS + MINUTE_MS)
  expect(states()).toEqual(['half', 'lost', 'half'])
  candles.seed(klineAt(1, 5))
  expect(states()).toEqual(['half', 'final', 'half'])
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
