import { COINS, type Coin } from '../../../core/coin.ts'
import { MINUTE_MS } from '../../../core/time/time.ts'
import { createDayStats } from '../../market/candles/day-stats.ts'
import type { SimBook, SimBookDiff } from '../../market/sim-events.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'
import type { Topics } from '../topics.ts'
import { createDepthBuffer } from './depth.ts'
import {
  toAggTradeEvent,
  toBookTickerEvent,
  toDepthEvent,
  toForceOrderEvent,
  toKlineEvent,
  toMarkPriceEvent,
  toTradeEvents,
} from './format.ts'
import { toTickerEvent } from './ticker.ts'

const KLINE_EVERY_MS = 2000
const SLOW_MARK_EVERY_MS = 3000

/** Turns the market's events into Binance's streams. The returned function stops it. */
export function publishBinance(market: SimulatedMarket, topics: Topics): () => void {
  const streamOf = (coin: Coin, kind: string) => `${coin.toLowerCase()}usdt@${kind}`
  const publish = (stream: string, makeEvent: () => unknown) =>
    topics.publish(stream, () => JSON.stringify(makeEvent()))
  const stops = [
    market.onTrade((trade) => {
      if (trade.venue !== 'binance') return
      const instrument = market.instrument('binance', trade.coin)
      publish(streamOf(trade.coin, 'aggTrade'), () => toAggTradeEvent(instrument, trade))
      const fillStream = streamOf(trade.coin, 'trade')
      if (!topics.has(fillStream)) return
      for (const event of toTradeEvents(instrument, trade)) publish(fillStream, () => event)
    }),
    publishDepth(market, topics, streamOf, publish),
    publishSeconds(market, streamOf, publish),
    market.onLiquidation((forced) => {
      const makeEvent = () => toForceOrderEvent(market.instrument('binance', forced.coin), forced)
      publish(streamOf(forced.coin, 'forceOrder'), makeEvent)
      publish('!forceOrder@arr', makeEvent)
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

type StreamOf = (coin: Coin, kind: string) => string
type Publish = (stream: string, makeEvent: () => unknown) => void

function publishDepth(market: SimulatedMarket, topics: Topics, streamOf: StreamOf, publish: Publish) {
  const slow = new Map(COINS.map((coin) => [coin, createDepthBuffer()]))
  return market.onBookDiff((diff) => {
    const { venue, coin, atMs } = diff
    if (venue !== 'binance') return
    const instrument = market.instrument('binance', coin)
    publish(streamOf(coin, 'depth@100ms'), () => toDepthEvent(instrument, diff))
    if (hasNewTouch(diff, market.book('binance', coin)))
      publish(streamOf(coin, 'bookTicker'), () => toBookTickerEvent(instrument, market.book('binance', coin)))
    const names = [streamOf(coin, 'depth'), streamOf(coin, 'depth@1000ms')]
    const buffer = slow.get(coin)
    if (!buffer || !names.some(topics.has)) return void buffer?.take(atMs)
    buffer.add(diff)
    if (atMs % 1000 !== 0) return
    const merged = buffer.take(atMs)
    if (merged) for (const name of names) publish(name, () => toDepthEvent(instrument, merged))
  })
}

/** Whether price or size of the best bid or ask changed, or a better level vanished. */
function hasNewTouch(diff: SimBookDiff, { bids, asks }: SimBook): boolean {
  const [bid = 0, ask = 0] = [bids[0]?.[0], asks[0]?.[0]]
  return diff.bids.some(([ticks]) => ticks >= bid) || diff.asks.some(([ticks]) => ticks <= ask)
}

/** Streams on a timer: mark prices every second or every third, candles every other second, tickers every second. */
function publishSeconds(market: SimulatedMarket, streamOf: StreamOf, publish: Publish) {
  const dayStats = createDayStats(market)
  return market.onFunding((funding) => {
    const { coin, atMs } = funding
    const instrument = market.instrument('binance', coin)
    const mark = () => toMarkPriceEvent(instrument.symbol, funding)
    publish(streamOf(coin, 'markPrice@1s'), mark)
    if (atMs % SLOW_MARK_EVERY_MS === 0) publish(streamOf(coin, 'markPrice'), mark)
    publish(streamOf(coin, 'ticker'), () => toTickerEvent(market, coin, dayStats('binance', coin)))
    if (atMs % KLINE_EVERY_MS !== 0) return
    const minuteMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS
    const openings = atMs === minuteMs ? [minuteMs - MINUTE_MS, minuteMs] : [minuteMs]
    for (const openMs of openings)
      publish(streamOf(coin, 'kline_1m'), () => {
        const candle = market.candle('binance', coin, openMs)
        const stream = { interval: '1m', intervalMs: MINUTE_MS, atMs, closed: openMs < minuteMs }
        return toKlineEvent(instrument, candle, stream)
      })
  })
}
