import { COINS, type Coin } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { createBookFeed } from '../books/book-feed.ts'
import { type CandleFeed, createCandleFeed } from '../candles/candle-feed.ts'
import type { FeedSink, Venue } from '../events.ts'
import type { FeedLog } from '../feed-log.ts'
import { createStreamGauge, type StreamGauge, type StreamHealth } from '../stream-health.ts'
import { createTradeFeed } from '../trades/trade-feed.ts'
import { createTradeRun } from '../trades/trade-run.ts'
import type { Feed } from '../watch-loop.ts'
import type { VenueClient, WireWatch } from './venue-client.ts'
import { logTroubles, type VenueHosts } from './venue-trouble.ts'

/** Trades, books and candles of every coin on one venue. */
export type VenueFeeds = {
  venue: Venue
  /** Runs until the signal aborts; never rejects. */
  run(): Promise<void>
  check(): void
  /** Replaces the connection. */
  reconnect(): void
  health(): readonly StreamHealth[]
  /** Malformed messages whose stream or coin is unknown. */
  readonly unreadable: number
  readonly isBusy: boolean
}

type Options = {
  venue: Venue
  clock: Clock
  sink: FeedSink
  random: () => number
  signal: AbortSignal
  log: FeedLog
  repairsGaps: boolean
  hosts: VenueHosts
  connect(watch: WireWatch): VenueClient
}

type Streams = { trades: Feed; book: Feed; candles: CandleFeed }

export function createVenueFeeds(options: Options): VenueFeeds {
  const { venue, clock, signal } = options
  const gauges = new Map(
    COINS.map((coin) => [
      coin,
      {
        trades: createStreamGauge(clock, { kind: 'trades', source: venue, coin }),
        book: createStreamGauge(clock, { kind: 'book', source: venue, coin }),
      },
    ]),
  )
  let unreadable = 0
  const connected = options.connect({
    malformed(stream, coin) {
      if (stream && coin) gauges.get(coin)?.[stream].count('malformed')
      else unreadable++
    },
    silent() {
      for (const coin of COINS) options.sink.tradeDoubt({ venue, coin, atMs: clock.now() })
    },
  })
  const troubles = logTroubles(connected, options)
  const { client } = troubles
  const all = [...gauges].map(([coin, { trades, book }]) =>
    createStreams(options, client, coin, trades, book),
  )

  return {
    venue,
    async run() {
      signal.addEventListener('abort', () => void client.close().catch(() => {}), { once: true })
      await Promise.all(
        all.flatMap(({ trades, book, candles }) => [candles.check(), trades.run(), book.run()]),
      )
    },
    check() {
      troubles.check()
      for (const feed of all) for (const stream of [feed.trades, feed.book, feed.candles]) stream.check()
    },
    reconnect: () => client.reconnect(),
    health: () => [...gauges.values()].flatMap(({ trades, book }) => [trades.read(), book.read()]),
    get unreadable() {
      return unreadable
    },
    get isBusy() {
      return all.some(({ trades, candles }) => trades.isBusy || candles.isBusy)
    },
  }
}

function createStreams(
  options: Options,
  client: VenueClient,
  coin: Coin,
  tradeGauge: StreamGauge,
  bookGauge: StreamGauge,
): Streams {
  const run = createTradeRun()
  const sink: FeedSink = {
    ...options.sink,
    trade(trade) {
      run.apply(trade)
      options.sink.trade(trade)
    },
  }
  const shared = { ...options, client, coin, sink }
  return {
    trades: createTradeFeed({ ...shared, gauge: tradeGauge }),
    book: createBookFeed({ ...shared, gauge: bookGauge }),
    candles: createCandleFeed({ ...shared, run }),
  }
}
