import type { Coin } from '../../../core/coin.ts'
import type { Stream } from '../subscriptions.ts'
import type { VenueClient, VenueClientOptions } from '../venue-client.ts'
import { createVenueStreams } from '../venue-streams.ts'
import { createBinanceBooks } from './books.ts'
import { createBinanceRest } from './rest.ts'
import { binanceSymbolOf, readBinanceMessage } from './wire.ts'

/** A change of a hundred milliseconds has a few hundred levels at most. */
const MAX_FRAME_BYTES = 2 * 1024 * 1024
/** Binance disconnects clients that send more than five messages a second, pongs included. */
const ALLOWANCE = { burst: 2, perSecond: 2 }

/** Binance spot: aggregate trades, whose ids have no holes, and books from numbered changes, all on one connection. */
export function createBinanceClient(options: VenueClientOptions): VenueClient {
  const { wsUrl, clock, random, gates, watch, openSocket, isPaced } = options
  const rest = createBinanceRest(options)

  const streams = createVenueStreams({
    url: `${wsUrl}/ws`,
    maxFrameBytes: MAX_FRAME_BYTES,
    clock,
    gate: gates.of(wsUrl),
    random,
    allowance: isPaced ? ALLOWANCE : undefined,
    openSocket,
    topicOf,
    wireOf: ({ id, verb, topics }) => ({ method: verb.toUpperCase(), params: topics, id }),
    onMessage(message) {
      const read = readBinanceMessage(message, clock.now())
      if (read.kind === 'trade') streams.trade(read.trade)
      else if (read.kind === 'depth') {
        // Without a snapshot there is no book yet, but the connection lives.
        streams.heard()
        books.change(read.coin, read.change)
      } else if (read.kind === 'accepted') streams.accepted(({ id }) => id === read.id)
      else if (read.kind === 'refused') {
        if (!streams.refused(({ id }) => id === read.id, read.reason)) watch.malformed(undefined, undefined)
      } else if (read.kind === 'malformed') watch.malformed(read.stream, read.coin)
    },
    onBookOpened: (coin) => books.open(coin),
    onBookClosed: (coin) => books.close(coin),
    onSilent: watch.silent,
  })
  const books = createBinanceBooks({
    clock,
    readSnapshot: rest.depth,
    onBook: streams.book,
    onFailed: streams.bookFailed,
  })

  return {
    venue: 'binance',
    watchTrades: streams.watchTrades,
    watchBook: streams.watchBook,
    resyncBook: streams.resyncBook,
    refreshBook: books.refresh,
    resubscribe: streams.resubscribe,
    restart: streams.restart,
    reconnect: streams.reconnect,
    latestTrade: rest.latestTrade,
    tradesBetween: rest.tradesBetween,
    klines: rest.klines,
    async close() {
      rest.close()
      streams.close()
    },
  }
}

function topicOf(stream: Stream, coin: Coin): string {
  return `${binanceSymbolOf(coin).toLowerCase()}@${stream === 'book' ? 'depth@100ms' : 'aggTrade'}`
}
