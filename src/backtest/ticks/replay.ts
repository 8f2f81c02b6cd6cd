import type { Coin } from '../../core/coin.ts'
import { createManualClock } from '../../core/manual-clock.ts'
import { MINUTE_MS, SECOND_MS } from '../../core/time.ts'
import { windowAt } from '../../core/window.ts'
import type { Book, FeedSink } from '../../feeds/events.ts'
import { createMarket, type Market } from '../../market/market.ts'
import { findGoodMid, PRICE_FRESH_MS } from '../../market/price.ts'
import type { Bar } from '../../signals/history/bar.ts'
import { createIndicators, type Indicators } from '../../signals/indicators/indicators.ts'
import { createSignalEngine } from '../../signals/live/engine.ts'
import type { Model } from '../../signals/model/model.ts'
import type { IndicatorReadings, Signal } from '../../signals/signal.ts'
import type { TimedTick } from './merge.ts'
import { createTickFeed } from './tick-feed.ts'
import { createWarmUp } from './warm-up.ts'

/** What was known at a whole second, of rows up to and including it. */
export type Second = {
  atMs: number
  windowStartS: number
  /** The mid, or without a book the last trade; undefined when older than a price may be. */
  price: number | undefined
  mid: number | undefined
  /** Of the best levels of the newest book, -1..1. */
  imbalance: number | undefined
  signal: Signal | undefined
  indicators: IndicatorReadings
}

export type Replay = {
  tick(timed: TimedTick): void
  /** Tells the seconds up to the last row. */
  end(): void
  /** Minutes known when it began. */
  warmUpMinutes: number
}

type Ports = {
  coin: Coin
  model: Model
  bars: readonly Bar[]
  startMs: number
  onSecond: (second: Second) => void
}

/** Nothing for so long is a hole in the recording, not a quiet market. */
const HOLE_MS = 60_000
/** As long as a live feed waits for a change before it holds its book for lost. */
const BOOK_STALLED_MS = 15_000

/** Recorded rows through the market and the engine that serve live, on the rows' own time. */
export function createReplay({ coin, model, bars, startMs, onSecond }: Ports): Replay {
  const clock = createManualClock(Math.floor(startMs / MINUTE_MS) * MINUTE_MS)
  const market = createMarket({ clock })
  const engine = createSignalEngine({ clock, market, model })
  // The engine tells no indicators before it has a signal; these hear the same events.
  const indicators = createIndicators()
  const sinks = tee(market.sink, engine.sink)
  const feed = createTickFeed(coin, withIndicators(sinks, indicators))
  const warmUp = createWarmUp({ coin, bars, startMs, sink: sinks })
  warmUp.tellUntil(clock.now())
  let newestMs = startMs
  let nextMs = Math.ceil(startMs / SECOND_MS) * SECOND_MS

  const second = (atMs: number) => {
    feed.flush()
    clock.advanceTo(atMs)
    warmUp.tellUntil(atMs)
    const held = market.book('binance', coin)
    if (held && !held.fault && atMs - held.asOf > BOOK_STALLED_MS) feed.stalled(atMs)
    const quote = findFreshBook(market, coin, atMs)
    // A quote stands until it changes: told again, the signal is of this second and of its window.
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
      if (timed.atMs - newestMs > HOLE_MS)
        sinks.tradeGap({ venue: 'binance', coin, fromMs: newestMs + 1, toMs: timed.atMs - 1 })
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
  // Without a price of now the signal is one of before.
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
  const isGood = findGoodMid(view) !== undefined && nowMs - (view?.asOf ?? 0) <= PRICE_FRESH_MS
  return isGood ? view?.book : undefined
}

function midOf({ bids, asks }: Book): number {
  return ((bids[0]?.[0] ?? Number.NaN) + (asks[0]?.[0] ?? Number.NaN)) / 2
}

function tee(first: FeedSink, second: FeedSink): FeedSink {
  const both =
    <T>(one: (event: T) => void, other: (event: T) => void) =>
    (event: T) => {
      one(event)
      other(event)
    }
  return {
    trade: both(first.trade, second.trade),
    book: both(first.book, second.book),
    bookLost: both(first.bookLost, second.bookLost),
    kline: both(first.kline, second.kline),
    tradeGap: both(first.tradeGap, second.tradeGap),
    oracle: both(first.oracle, second.oracle),
  }
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
