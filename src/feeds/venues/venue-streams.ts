import { COINS, type Coin } from '../../core/coin.ts'
import type { Trade } from '../events.ts'
import { createInbox, type Inbox } from './inbox.ts'
import type { RawBook, VenueClient } from './venue-client.ts'
import { createVenueSocket, type VenueSocketOptions } from './venue-socket.ts'

/** Trades not taken yet. Beyond this the oldest are dropped; the gap in the ids is then repaired. */
const MAX_UNREAD_TRADES = 1_000

export type Stream = 'trades' | 'book'

/** The streams of one venue, all over one connection. */
export type VenueStreams = Pick<VenueClient, 'watchTrades' | 'watchBook' | 'resyncBook' | 'restart'> & {
  trade(trade: Trade): void
  book(coin: Coin, book: RawBook): void
  /** The book is in doubt: its watch rejects, and the next one starts from a snapshot. */
  bookFailed(coin: Coin, error: Error): void
  /** Ends the connection; pending watches reject. */
  drop(reason: string): void
  close(): void
}

type Options = Omit<VenueSocketOptions, 'onLost'> & {
  topicOf(stream: Stream, coin: Coin): string
  /** A new subscription to this book starts. */
  onBookOpened(coin: Coin): void
  /** The state of this book is no longer valid. */
  onBookClosed(coin: Coin): void
}

export function createVenueStreams(options: Options): VenueStreams {
  const { topicOf, onBookOpened, onBookClosed } = options
  const inboxes = new Map(COINS.map((coin) => [coin, createInboxes()]))
  const inboxesOf = (coin: Coin) => inboxes.get(coin) ?? createInboxes()
  const open = new Set<string>()
  let isClosed = false

  const endBook = (coin: Coin): boolean => {
    const wasOpen = open.delete(topicOf('book', coin))
    if (wasOpen) {
      onBookClosed(coin)
      inboxesOf(coin).book.discard()
    }
    return wasOpen
  }
  const socket = createVenueSocket({
    ...options,
    onLost(error) {
      for (const coin of COINS) {
        if (open.delete(topicOf('trades', coin))) inboxesOf(coin).trades.fail(error)
        if (endBook(coin)) inboxesOf(coin).book.fail(error)
      }
    },
  })
  const watch = async <T>(inbox: Inbox<T>, stream: Stream, coin: Coin): Promise<T> => {
    if (isClosed) throw new Error('closed')
    const unread = inbox.take()
    if (unread !== undefined) return unread
    const topic = topicOf(stream, coin)
    if (!open.has(topic)) {
      socket.subscribe(topic)
      open.add(topic)
      if (stream === 'book') onBookOpened(coin)
    }
    return inbox.wait()
  }
  return {
    watchTrades: (coin) => watch(inboxesOf(coin).trades, 'trades', coin),
    watchBook: (coin) => watch(inboxesOf(coin).book, 'book', coin),
    resyncBook(coin) {
      // At Coinbase a second subscribe alone would bring no snapshot.
      if (endBook(coin)) socket.unsubscribe(topicOf('book', coin))
      inboxesOf(coin).book.interrupt(new Error('book starts over'))
    },
    restart: (stream, coin) => socket.drop(`connection replaced because of ${topicOf(stream, coin)}`),
    trade: (trade) => inboxesOf(trade.coin).trades.put([trade]),
    book: (coin, book) => inboxesOf(coin).book.put(book),
    bookFailed(coin, error) {
      if (!endBook(coin)) return
      socket.unsubscribe(topicOf('book', coin))
      inboxesOf(coin).book.fail(error)
    },
    drop: socket.drop,
    close() {
      isClosed = true
      socket.drop('closed')
    },
  }
}

type Inboxes = { trades: Inbox<Trade[]>; book: Inbox<RawBook> }

function createInboxes(): Inboxes {
  return {
    trades: createInbox((unread, more) => [...unread, ...more].slice(-MAX_UNREAD_TRADES)),
    book: createInbox((_, newest) => newest),
  }
}
