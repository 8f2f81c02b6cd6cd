import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import type { Kline } from '../../feeds/events.ts'
import { createMarket } from '../../market/market.ts'
import { FIRST_MS, randomCandles } from '../../testing/signals/random-candles.ts'
import { closedMinutes, runningMinute } from './minute-source.ts'

const MIN = 60_000
const candles = randomCandles({ seed: 'minutes', count: 40 })

function marketOf(count: number) {
  const market = createMarket({ clock: createManualClock(FIRST_MS) })
  for (const candle of candles.slice(0, count))
    market.sink.kline({ ...candle, venue: 'binance', coin: 'BTC', takerBuyVolume: 1, trades: 1 })
  let id = 0
  const trade = (atMs: number, price: number) =>
    market.sink.trade({
      venue: 'binance',
      coin: 'BTC',
      id: ++id,
      price,
      size: 2,
      side: 'buy',
      fills: 1,
      atMs,
    })
  // The last trade of the minute that the venue's candle is of.
  trade(FIRST_MS + count * MIN - 1, candles[count - 1]?.close ?? 1)
  const skipId = () => void id++
  const lose = (openMs: number) => market.sink.minuteLost({ venue: 'binance', coin: 'BTC', openMs })
  const doubt = (atMs: number) => market.sink.tradeDoubt({ venue: 'binance', coin: 'BTC', atMs })
  return { market, trade, skipId, lose, doubt }
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
    // Nor is it known to be whole before a trade of the next.
    expect(closedMinutes(market, 'BTC', 0, FIRST_MS + 31 * MIN + 1_000)).toHaveLength(30)
    trade(FIRST_MS + 31 * MIN, 97)
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

  test('a minute with missing trades holds up those after it until it is whole, or lost', () => {
    const { market, trade, skipId, lose } = marketOf(28)
    trade(FIRST_MS + 28 * MIN, 99)
    skipId()
    for (const minute of [28, 29, 30]) trade(FIRST_MS + minute * MIN + 10, 99)
    const nowMs = FIRST_MS + 30 * MIN + 20_000
    const opens = () =>
      closedMinutes(market, 'BTC', FIRST_MS + 27 * MIN, nowMs).map(({ openMs }) => (openMs - FIRST_MS) / MIN)
    expect(opens()).toEqual([27])
    lose(FIRST_MS + 28 * MIN)
    expect(opens()).toEqual([27, 29])
    const whole = { ...candles[28], venue: 'binance', coin: 'BTC', takerBuyVolume: 1, trades: 1 } as const
    market.sink.kline({ ...whole, openMs: FIRST_MS + 28 * MIN } as Kline)
    expect(opens()).toEqual([27, 28, 29])
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

  test('is undefined while trades are missing, or may be', () => {
    const { market, trade, skipId, doubt } = marketOf(30)
    trade(FIRST_MS + 30 * MIN + 10, 99)
    expect(runningMinute(market, 'BTC', endMs)).toBeDefined()
    doubt(FIRST_MS + 30 * MIN + 15)
    expect(runningMinute(market, 'BTC', endMs)).toBeUndefined()
    trade(FIRST_MS + 30 * MIN + 20, 99)
    expect(runningMinute(market, 'BTC', endMs)).toBeDefined()
    skipId()
    trade(FIRST_MS + 30 * MIN + 30, 99)
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

  test('is undefined without a trade: that it is quiet is not known yet', () => {
    expect(runningMinute(marketOf(30).market, 'BTC', endMs)).toBeUndefined()
  })

  test('is undefined once the next one has begun', () => {
    const { market, trade } = marketOf(30)
    expect(runningMinute(market, 'BTC', endMs + MIN)).toBeUndefined()
    expect(runningMinute(market, 'ETH', endMs)).toBeUndefined()
    trade(endMs + 1, 99)
    expect(runningMinute(market, 'BTC', endMs)).toBeUndefined()
  })
})
