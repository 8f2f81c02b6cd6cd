import { COINS, type Coin } from '../../../core/coin.ts'
import type { Request } from '../outbox.ts'
import type { Stream } from '../subscriptions.ts'
import { BookSequenceError, type VenueClient, type VenueClientOptions } from '../venue-client.ts'
import { createVenueStreams } from '../venue-streams.ts'
import { createLevel2Book, type Level2Book } from './level2-book.ts'
import { createCoinbaseRest } from './rest.ts'
import { type CoinbaseMessage, coinbaseProductOf, readCoinbaseMessage } from './wire.ts'

/** Public, batched to 50 ms. `level2` has the same messages and needs an account. */
const BOOK_CHANNEL = 'level2_batch'
/** The snapshot of a whole book has several megabytes. */
const MAX_FRAME_BYTES = 16 * 1024 * 1024
/** Coinbase allows 8 requests a second for each address, 20 at once. */
const ALLOWANCE = { burst: 8, perSecond: 6 }

/** Coinbase Exchange: matches, whose ids have no holes, and the batched level-2 book, all on one connection. */
export function createCoinbaseClient(options: VenueClientOptions): VenueClient {
  const { wsUrl, clock, random, gates, watch, openSocket, isPaced } = options
  const rest = createCoinbaseRest(options)
  const books = new Map<Coin, Level2Book>()

  const streams = createVenueStreams({
    url: wsUrl,
    maxFrameBytes: MAX_FRAME_BYTES,
    clock,
    gate: gates.of(wsUrl),
    random,
    allowance: isPaced ? ALLOWANCE : undefined,
    openSocket,
    topicOf,
    wireOf: ({ verb, topics }) => ({ type: verb, channels: channelsOf(topics) }),
    onMessage(message) {
      const read = readCoinbaseMessage(message, clock.now())
      if (read.kind === 'trade') streams.trade(read.trade)
      else if (read.kind === 'snapshot' || read.kind === 'changes') takeBook(read)
      // Requests have no ids here; they are answered in order.
      else if (read.kind === 'accepted') streams.accepted(() => true)
      else if (read.kind === 'refused') {
        const isIt = ({ topics }: Request) => topics.some((topic) => topic.endsWith(read.product ?? ''))
        if (!streams.refused(isIt, read.reason)) watch.malformed(undefined, undefined)
      } else if (read.kind === 'malformed') {
        watch.malformed(read.stream, read.coin)
        // It may have been a change of any book, and without sequence numbers nothing else would show the loss.
        if (read.stream !== 'trades') breakBooks(read.coin ? [read.coin] : COINS, 'unreadable message')
      }
    },
    onBookOpened: (coin) => void books.set(coin, createLevel2Book()),
    onBookClosed: (coin) => void books.delete(coin),
    onSilent: watch.silent,
  })
  const takeBook = (read: Extract<CoinbaseMessage, { kind: 'snapshot' | 'changes' }>) => {
    streams.heard()
    const book = books.get(read.coin)
    if (!book) return
    if (read.kind === 'snapshot') book.load(read.bids, read.asks)
    else {
      const changed = book.change(read.changes, read.atMs)
      if (changed === 'disorder') breakBooks([read.coin], 'older than the change before it')
      if (changed !== 'changed') return
    }
    streams.book(read.coin, book.read())
  }
  const breakBooks = (coins: readonly Coin[], detail: string) => {
    for (const coin of coins) streams.bookFailed(coin, new BookSequenceError(detail))
  }

  return {
    venue: 'coinbase',
    watchTrades: streams.watchTrades,
    watchBook: streams.watchBook,
    resyncBook: streams.resyncBook,
    // Only a new subscription brings a snapshot. It comes at once, over the connection that works.
    refreshBook: streams.resyncBook,
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
  return `${stream === 'book' ? BOOK_CHANNEL : 'matches'}:${coinbaseProductOf(coin)}`
}

function channelsOf(topics: readonly string[]) {
  const products = new Map<string, string[]>()
  for (const topic of topics) {
    const [name = '', product = ''] = topic.split(':')
    products.set(name, [...(products.get(name) ?? []), product])
  }
  return [...products].map(([name, product_ids]) => ({ name, product_ids }))
}
