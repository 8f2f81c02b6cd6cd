import { COINS, type Coin } from '../../core/coin.ts'
import type { Trade } from '../events.ts'
import { createConnectionSilence } from './connection-silence.ts'
import { createInbox, type Inbox } from './inbox.ts'
import { createStreamWellness } from './stream-wellness.ts'
import {
  createSubscriptions,
  type Stream,
  type SubscriptionOptions,
  type Subscriptions,
} from './subscriptions.ts'
import type { RawBook, VenueClient } from './venue-client.ts'

/** Trades not taken yet. Beyond this the oldest are dropped; the gap in the ids is then repaired. */
const MAX_UNREAD_TRADES = 1_000

/** The streams of one venue, all over one connection. */
export type VenueStreams = Pick<
  VenueClient,
  'watchTrades' | 'watchBook' | 'resyncBook' | 'resubscribe' | 'restart' | 'reconnect'
> &
  Pick<Subscriptions, 'accepted' | 'refused'> & {
    /** The venue has sent something of a stream, whether or not it is of use. */
    heard(): void
    trade(trade: Trade): void
    book(coin: Coin, book: RawBook): void
    /** The book is in doubt: its watch rejects, and the next one starts from a snapshot. */
    bookFailed(coin: Coin, error: Error): void
    close(): void
  }

type Options = Omit<SubscriptionOptions, 'onConnecting' | 'onStarted' | 'onEnded' | 'onFailed'> & {
  /** A new subscription to this book starts. */
  onBookOpened(coin: Coin): void
  /** The state of this book is no longer valid. */
  onBookClosed(coin: Coin): void
  /** Called every second while nothing has been heard for a few: trades of any coin may be missing. */
  onSilent(): void
}

export function createVenueStreams(options: Options): VenueStreams {
  const { clock, topicOf, onBookOpened, onBookClosed } = options
  const inboxes = new Map(COINS.map((coin) => [coin, createInboxes()]))
  const inboxesOf = (coin: Coin) => inboxes.get(coin) ?? createInboxes()
  const wellness = createStreamWellness(clock)
  let isClosed = false
  const silence = createConnectionSilence({
    ...options,
    // Does nothing while there is no connection.
    onDead: () => subscriptions.drop('connection silent'),
  })
  const subscriptions = createSubscriptions({
    ...options,
    onConnecting: silence.connecting,
    onStarted(stream, coin) {
      if (stream === 'book') onBookOpened(coin)
    },
    onEnded(stream, coin) {
      if (stream === 'trades') return
      onBookClosed(coin)
      inboxesOf(coin).book.discard()
    },
    onFailed: (stream, coin, error) => inboxesOf(coin)[stream].fail(error),
  })
  const hear = (topic: string) => {
    silence.heard()
    subscriptions.proveUseful()
    wellness.heard(topic)
  }
  const watch = async <T>(inbox: Inbox<T>, stream: Stream, coin: Coin): Promise<T> => {
    if (isClosed) throw new Error('closed')
    const unread = inbox.take()
    if (unread !== undefined) return unread
    subscriptions.start(stream, coin)
    return inbox.wait()
  }
  const startOver = (stream: Stream, coin: Coin, error: Error) => {
    if (subscriptions.end(stream, coin)) inboxesOf(coin)[stream].fail(error)
  }
  return {
    watchTrades: (coin) => watch(inboxesOf(coin).trades, 'trades', coin),
    watchBook: (coin) => watch(inboxesOf(coin).book, 'book', coin),
    resyncBook(coin) {
      // At Coinbase a second subscribe alone would bring no snapshot.
      subscriptions.end('book', coin)
      inboxesOf(coin).book.interrupt(new Error('book starts over'))
    },
    resubscribe: (stream, coin) => startOver(stream, coin, new Error(`${topicOf(stream, coin)} starts over`)),
    restart(stream, coin) {
      const topic = topicOf(stream, coin)
      wellness.restarted(topic)
      const others = COINS.flatMap((other) => (other === coin ? [] : topicOf(stream, other)))
      if (others.some(wellness.isWell)) startOver(stream, coin, new Error(`${topic} starts over`))
      else subscriptions.drop(`connection replaced because of ${topic}`)
    },
    reconnect: () => subscriptions.drop('connection replaced'),
    heard: silence.heard,
    trade(trade) {
      hear(topicOf('trades', trade.coin))
      inboxesOf(trade.coin).trades.put([trade])
    },
    book(coin, book) {
      hear(topicOf('book', coin))
      inboxesOf(coin).book.put(book)
    },
    bookFailed: (coin, error) => startOver('book', coin, error),
    accepted: subscriptions.accepted,
    refused: subscriptions.refused,
    close() {
      isClosed = true
      silence.stop()
      subscriptions.drop('closed')
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
