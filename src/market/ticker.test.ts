import { expect, test } from 'vitest'
import { MINUTE_MS } from '../core/time/time.ts'
import type { Trade } from '../feeds/events.ts'
import { createCandles } from './candles.ts'
import { createTicker } from './ticker.ts'

const START_MS = Date.UTC(2026, 0, 5)

function tradeAt(minute: number, price: number): Trade {
  const atMs = START_MS + minute * MINUTE_MS
  return { venue: 'binance', coin: 'ETH', id: minute, price, size: 2, side: 'buy', fills: 1, atMs }
}

test('the ticker equals a plain sum over the last 1,440 minutes, whatever was cached', () => {
  const candles = createCandles({ capacity: 1_620 })
  const ticker = createTicker(candles)
  for (let minute = 0; minute < 1_600; minute++) {
    const price = 100 + 50 * Math.sin(minute / 97)
    candles.apply(tradeAt(minute, price))
    if (minute % 7 === 0) ticker.read(0)
    candles.apply(tradeAt(minute, price + 1))
  }
  const day = candles.last(1_440)
  const open = day[0]?.open ?? Number.NaN
  const last = day.at(-1)?.close ?? Number.NaN
  expect(ticker.read(42)).toEqual({
    last,
    open,
    high: Math.max(...day.map(({ high }) => high)),
    low: Math.min(...day.map(({ low }) => low)),
    volume: day.reduce((sum, { volume }) => sum + volume, 0),
    changePercent: ((last - open) / open) * 100,
    fromMs: day[0]?.openMs,
    asOfMs: 42,
  })
})

test('without candles there is no ticker', () => {
  expect(createTicker(createCandles({ capacity: 5 })).read(1)).toBeUndefined()
})
