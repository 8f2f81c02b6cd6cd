import type { Coin } from '../../core/coin.ts'
import type { Level } from '../../core/level.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { HostGates } from '../../upstreams/rules/host-gate.ts'
import type { Kline, Trade, Venue } from '../events.ts'
import type { OpenSocket } from '../open-socket.ts'

/** The best levels of a venue's book, best first; `atMs` is undefined right after a snapshot. */
export type RawBook = { bids: readonly Level[]; asks: readonly Level[]; atMs: number | undefined }

export const BOOK_LEVELS = 20

/**
 * A reply about minutes, ascending; the newest may still be running. Not clean: some rows were malformed and left out.
 * `venueMs` is the venue's time of the reply, where it says so.
 */
export type Klines = { klines: readonly Kline[]; isClean: boolean; venueMs: number | undefined }

/** One venue: its socket and its REST API, in our types. Every promise may reject at any time. */
export type VenueClient = {
  venue: Venue
  /** Trades since the last call, in the order of arrival. Connects and subscribes as needed. */
  watchTrades(coin: Coin): Promise<readonly Trade[]>
  /** The book after its next change; rejects with `BookSequenceError` when one was lost. Connects as needed. */
  watchBook(coin: Coin): Promise<RawBook>
  /** Forgets the book and rejects a pending `watchBook`: the next one starts from a fresh snapshot. */
  resyncBook(coin: Coin): void
  /** Loads a good book again. Where the venue allows it, the one at hand stays until the new one has come. */
  refreshBook(coin: Coin): void
  /** Rejects a pending watch; the next one subscribes anew. Leaves the other streams alone. */
  resubscribe(stream: 'trades' | 'book', coin: Coin): void
  /** As `resubscribe`, but replaces the connection if the stream works for no other coin either. */
  restart(stream: 'trades' | 'book', coin: Coin): void
  /** Replaces the connection; pending watches reject. */
  reconnect(): void
  latestTrade(coin: Coin): Promise<Trade | undefined>
  /** By ascending id, both ends included; without `toId` up to the newest. May return fewer. */
  tradesBetween(coin: Coin, fromId: number, toId: number | undefined): Promise<readonly Trade[]>
  /** Minutes that opened from `fromMs` to before `toMs`. */
  klines(coin: Coin, fromMs: number, toMs: number): Promise<Klines>
  close(): Promise<void>
}

/** What a venue client reports besides what it returns. */
export type WireWatch = {
  /** A message, or a row of a reply, broke its format and was dropped; stream and coin where they could be read. */
  malformed(stream: 'trades' | 'book' | undefined, coin: Coin | undefined): void
  /** The connection has brought nothing for a few seconds: trades of any coin may be missing. Repeated each second. */
  silent(): void
}

/** A change of the book was lost, came out of order or could not be read, or levels of the book are unknown. */
export class BookSequenceError extends Error {
  constructor(detail: string) {
    super(`book out of sequence: ${detail}`)
    this.name = 'BookSequenceError'
  }
}

export type VenueClientOptions = {
  restUrl: string
  wsUrl: string
  clock: Clock
  gates: HostGates
  random: () => number
  watch: WireWatch
  openSocket: OpenSocket
  /** Keeps within the venue's rate limits; off only against a server of our own. */
  isPaced: boolean
}
