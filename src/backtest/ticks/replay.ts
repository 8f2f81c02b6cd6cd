import type { Coin } from '../../core/coin.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { MINUTE_MS, SECOND_MS } from '../../core/time/time.ts'
import { windowAt } from '../../core/time/window.ts'
import type { Book, FeedSink } from '../../feeds/events.ts'
import { teeSink } from '../../feeds/tee-sink.ts'
import { createMarket, type Market } from '../../market/market.ts'
import { findGoodMid, PRICE_FRESH_MS } from '../../market/price.ts'
import type { ClosedCandle } from '../../signals/history/closed-candle.ts'
import { closedMinutes } from '../../signals/history/minute-source.ts'
import { createIndicators, type Indicators } from '../../signals/indicators/indicators.ts'
import { createSignalEngine } from '../../signals/live/engine.ts'
import type { Model } from '../../signals/model/model.ts'
import type { IndicatorReadings, Signal } from '../../signals/signal.ts'
import type { TimedTick } from './merge.ts'
import { createTickFeed } from './tick-feed.ts'
import { createWarmUp, loseMinutes } from './warm-up.ts'

/** What was known at a whole second, from rows up to and including it. */
export type Second = {
  atMs: number
  windowStartS: number
  /** The mid, or without a book the last trade; undefined when too old. */
  price: number | undefined
  mid: number | undefined
  /** Of the best levels of the newest book, -1..1. */
  imbalance: number | undefined
  signal: Signal | undefined
  indicators: IndicatorReadings
}

export type Replay = {
  tick(timed: TimedTick): void
  /** Emits the seconds up to the last row. */
  end(): void
  /** Minutes of history at the start. */
  warmUpMinutes: number
}

type Ports = {
  coin: Coin
  model: Model
  candles: readonly ClosedCandle[]
  startMs: number
  onSecond: (second: Second) => void
}

/** A longer silence is a hole in the recording, not a quiet market. */
const HOLE_MS = 60_000
/** As long as a live feed waits for a change before it considers its book lost. */
const BOOK_STALLED_MS = 15_000

/** Replays recorded rows through the market and engine that also run live, on a clock that follows the rows. */
export function createReplay({ coin, model, candles, startMs, onSecond }: Ports): Replay {
  const clock = createManualClock(Math.floor(startMs / MINUTE_MS) * MINUTE_MS)
  const market = createMarket({ clock })
  const engine = createSignalEngine({ clock, market, model })
  // The engine has no indicators before its first signal; these get the same events.
  const indicators = createIndicators()
  const sinks = teeSink(market.sink, engine.sink)
  const feed = createTickFeed(coin, withIndicators(sinks, indicators))
  const warmUp = createWarmUp({ coin, candles, startMs, sink: sinks })
  warmUp.sendUntil(clock.now())
  let newestMs = startMs
  let closedMs = 0
  let nextMs = Math.ceil(startMs / SECOND_MS) * SECOND_MS

  const closeMinutes = (nowMs: number) => {
    for (const candle of closedMinutes(market, coin, closedMs, nowMs)) {
      indicators.minute(candle)
      closedMs = candle.openMs + MINUTE_MS
    }
  }
  const second = (atMs: number) => {
    feed.flush()
    clock.advanceTo(atMs)
    warmUp.sendUntil(atMs)
    closeMinutes(atMs)
    const held = market.book('binance', coin)
    if (held && !held.fault && atMs - held.asOfMs > BOOK_STALLED_MS) feed.stalled(atMs)
    const quote = findFreshBook(market, coin, atMs)
    // A quote is valid until it changes. Sent again, it moves the signal to this second and its window.
    if (quote) engine.sink.book({ ...quote, venue: 'coinbase', atMs })
    onSecond(readSecond({ atMs, quote, market, signal: engine.signal(coin), indicators, coin }))
  }
  const secondsBefore = (atMs: number) => {
    for (; nextMs < atMs; nextMs += SECOND_MS) second(nextMs)
  }
  return {
    tick(timed) {
      secondsBefore(timed.atMs)
      clock.advanceTo(timed.atMs)
      if (timed.atMs - newestMs > HOLE_MS) {
        feed.hole()
        loseMinutes(sinks, coin, newestMs, timed.atMs)
      }
      newestMs = timed.atMs
      feed.tick(timed)
    },
    end() {
      secondsBefore(newestMs + 1)
      engine.stop()
    },
    warmUpMinutes: warmUp.minutes,
  }
}

type Read = {
  atMs: number
  coin: Coin
  quote: Book | undefined
  market: Market
  signal: Signal | undefined
  indicators: Indicators
}

function readSecond({ atMs, coin, quote, market, signal, indicators }: Read): Second {
  const { startS } = windowAt(atMs)
  const mid = quote && midOf(quote)
  const [trade] = market.trades('binance', coin, 1)
  const price = mid ?? (trade && atMs - trade.atMs <= PRICE_FRESH_MS ? trade.price : undefined)
  // Without a current price the signal is an old one.
  const isCurrent = signal?.windowStartS === startS && price !== undefined
  return {
    atMs,
    windowStartS: startS,
    price,
    mid,
    imbalance: quote && indicators.microPrice()?.imbalance,
    signal: isCurrent ? signal : undefined,
    indicators: isCurrent ? signal.indicators : indicators.read(atMs),
  }
}

function findFreshBook(market: Market, coin: Coin, nowMs: number): Book | undefined {
  const view = market.book('binance', coin)
  const isGood = findGoodMid(view) !== undefined && nowMs - (view?.asOfMs ?? 0) <= PRICE_FRESH_MS
  return isGood ? view?.book : undefined
}

function midOf({ bids, asks }: Book): number {
  return ((bids[0]?.[0] ?? Number.NaN) + (asks[0]?.[0] ?? Number.NaN)) / 2
}

function withIndicators(sink: FeedSink, indicators: Indicators): FeedSink {
  return {
    ...sink,
    trade(trade) {
      sink.trade(trade)
      indicators.trade(trade)
    },
    book(book) {
      sink.book(book)
      if (book.venue === 'binance') indicators.book(book)
    },
    bookLost(lost) {
      sink.bookLost(lost)
      if (lost.venue === 'binance') indicators.bookLost()
    },
  }
}
