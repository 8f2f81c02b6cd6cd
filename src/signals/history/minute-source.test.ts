import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createMarket } from '../../market/market.ts'
import { FIRST_MS, randomCandles } from '../../testing/signals/random-candles.ts'
import { closedMinutes, runningMinute } from './minute-source.ts'

const MIN = 60_000
const candles = randomCandles({ seed: 'minutes', count: 40 })

function marketOf(count: number) {
  const market = createMarket({ clock: createManualClock(FIRST_MS) })
  for (const candle of candles.slice(0, count))
    market.sink.kline({ ...candle, venue: 'binance', coin: 'BTC', takerBuyVolume: 1, trades: 1 })
  const trade = (atMs: number, price: number) =>
    market.sink.trade({ venue: 'binance', coin: 'BTC', id: 1, price, size: 2, side: 'buy', fills: 1, atMs })
  const gap = (fromMs: number, toMs: number) =>
    market.sink.tradeGap({ venue: 'binance', coin: 'BTC', fromMs, toMs })
  return { market, trade, gap }
}

describe('closed minutes', () => {
  test('are those after the newest known one, as the venue reports them', () => {
    const { market } = marketOf(30)
    const now = FIRST_MS + 30 * MIN + 1_000
    expect(closedMinutes(market, 'BTC', 0, now)).toEqual(candles.slice(0, 30))
    expect(closedMinutes(market, 'BTC', FIRST_MS + 25 * MIN, now)).toEqual(candles.slice(25, 30))
    expect(closedMinutes(market, 'BTC', FIRST_MS + 30 * MIN, now)).toEqual([])
    expect(closedMinutes(market, 'ETH', 0, now)).toEqual([])
  })

  test('a minute is closed a second late, for trades that are on their way', () => {
    const { market } = marketOf(30)
    const endMs = FIRST_MS + 30 * MIN
    expect(closedMinutes(market, 'BTC', 0, endMs + 999)).toHaveLength(29)
    expect(closedMinutes(market, 'BTC', 0, endMs + 1_000)).toHaveLength(30)
  })

  test('the running minute is not closed, however many trades it has', () => {
    const { market, trade } = marketOf(30)
    trade(FIRST_MS + 30 * MIN + 10, 99)
    trade(FIRST_MS + 30 * MIN + 59_000, 98)
    expect(closedMinutes(market, 'BTC', 0, FIRST_MS + 31 * MIN)).toHaveLength(30)
    const closed = closedMinutes(market, 'BTC', 0, FIRST_MS + 31 * MIN + 1_000)
    expect(closed.at(-1)).toEqual({
      openMs: FIRST_MS + 30 * MIN,
      open: 99,
      high: 99,
      low: 98,
      close: 98,
      volume: 4,
    })
  })

  test('a minute with missing trades holds up those after it for a while, then is skipped', () => {
    const { market, trade, gap } = marketOf(28)
    for (const minute of [28, 29]) trade(FIRST_MS + minute * MIN, 99)
    gap(FIRST_MS + 28 * MIN, FIRST_MS + 28 * MIN + 1)
    const endMs = FIRST_MS + 29 * MIN
    const opens = (nowMs: number) =>
      closedMinutes(market, 'BTC', FIRST_MS + 27 * MIN, nowMs).map(({ openMs }) => (openMs - FIRST_MS) / MIN)
    expect(opens(endMs + 14_999)).toEqual([27])
    expect(opens(endMs + 15_000)).toEqual([27])
    expect(opens(endMs + MIN + 1_000)).toEqual([27, 29])
  })

  test('a quiet minute repeats the close before it once a later trade is heard', () => {
    const { market, trade } = marketOf(30)
    trade(FIRST_MS + 31 * MIN + 5, 99)
    const close = candles[29]?.close
    const closed = closedMinutes(market, 'BTC', FIRST_MS + 30 * MIN, FIRST_MS + 31 * MIN + 1_000)
    expect(closed).toEqual([
      { openMs: FIRST_MS + 30 * MIN, open: close, high: close, low: close, close, volume: 0 },
    ])
  })
})

describe('the running minute', () => {
  const endMs = FIRST_MS + 31 * MIN

  test('is undefined while trades are missing', () => {
    const { market, trade, gap } = marketOf(30)
    trade(FIRST_MS + 30 * MIN + 10, 99)
    expect(runningMinute(market, 'BTC', endMs)).toBeDefined()
    gap(FIRST_MS + 30 * MIN + 20, FIRST_MS + 30 * MIN + 30)
    expect(runningMinute(market, 'BTC', endMs)).toBeUndefined()
  })

  test('is built from its trades', () => {
    const { market, trade } = marketOf(30)
    trade(endMs - 50_000, 99)
    trade(endMs - 5_000, 101)
    expect(runningMinute(market, 'BTC', endMs)).toEqual({
      openMs: endMs - MIN,
      open: 99,
      high: 101,
      low: 99,
      close: 101,
      volume: 4,
    })
  })

  test('without a trade it repeats the close before it', () => {
    const { market } = marketOf(30)
    const close = candles[29]?.close
    const expected = { openMs: endMs - MIN, open: close, high: close, low: close, close, volume: 0 }
    expect(runningMinute(market, 'BTC', endMs)).toEqual(expected)
  })

  test('is undefined once the next one has begun, two minutes after the last trade, or without any', () => {
    const { market, trade } = marketOf(30)
    expect(runningMinute(market, 'BTC', endMs + MIN)).toBeUndefined()
    expect(runningMinute(market, 'ETH', endMs)).toBeUndefined()
    trade(endMs + 1, 99)
    expect(runningMinute(market, 'BTC', endMs)).toBeUndefined()
  })
})
