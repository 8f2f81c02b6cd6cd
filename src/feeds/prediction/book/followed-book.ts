import type { Clock } from '../../../core/time/clock.ts'
import type { TokenBook } from '../../../upstreams/polymarket/token-book.ts'
import { ALL_LEVELS, createBookState, type Doubt, NEVER_MS, raiseDoubt, refuseFrame } from './book-state.ts'
import { type Check, checkBook } from './check-book.ts'
import { takeChanges, takeSnapshot } from './follow-stream.ts'
import type { TokenChanges } from './recent-changes.ts'
import { findLevelTrouble, findTickE4, toTickSize } from './token-levels.ts'
import type { Motion } from './venue-motion.ts'

/**
 * The book of one token: snapshot and changes of the socket, checked against REST. A book in doubt is not shown until
 * a snapshot, or a REST book that was asked for after the doubt arose, replaces it.
 */
export type FollowedBook = {
  /** The token was asked for on a connection, which will send a snapshot. */
  subscribed(): void
  /** The connection ended: the book is kept, but no longer follows. */
  lost(): void
  snapshot(book: TokenBook): void
  change(changes: TokenChanges): void
  /** A frame about this token could not be read. */
  misheard(): void
  setTick(tickSize: number): void
  setLastTrade(price: number): void
  /** A REST book that was asked for at `sentMs` of our clock. */
  check(book: TokenBook, sentMs: number): Check
  /** Undefined while in doubt. */
  read(): TokenBook | undefined
  /** When the venue last confirmed the book, on our clock. */
  asOfMs(): number
  doubt(): Doubt | undefined
  /** False while changes wait for a REST book or a snapshot. */
  isFollowing(): boolean
  /** Since when REST has shown what the connection did not bring; undefined if it has brought all. */
  behindSinceMs(): number | undefined
  /** By how much the venue's clock is ahead of ours, if its books cannot be dated for that reason. */
  aheadMs(): number | undefined
  /**
   * Since when neither the connection nor REST could end a doubt that a new connection may end; undefined without one,
   * and without a connection.
   */
  stuckSinceMs(): number | undefined
  tickSize(): number
}

type Options = { clock: Clock; motion: Motion; tokenId: string; conditionId: string; tickSize: number }
const FINEST_E4 = 1

export function createFollowedBook(options: Options): FollowedBook {
  const { clock, motion, tokenId, conditionId, tickSize } = options
  const state = createBookState(clock, motion, findTickE4(tickSize) ?? FINEST_E4)
  return {
    subscribed() {
      state.subscribedMs = state.doubtSinceMs = clock.now()
    },
    lost() {
      state.recent.forgetTo(Math.max(state.streamAtMs, state.bookAtMs))
      state.subscribedMs = state.streamSinceMs = state.behindSinceMs = undefined
      state.streamAtMs = state.heardMs = state.behindAtMs = NEVER_MS
      state.isFollowing = state.isSuspect = false
      state.lateInARow = 0
    },
    snapshot: (book) => takeSnapshot(state, book),
    change: (changes) => takeChanges(state, changes),
    misheard: () => refuseFrame(state, 'malformed', undefined),
    setTick(told) {
      const tickE4 = findTickE4(told)
      if (tickE4 === undefined) return void raiseDoubt(state, 'off_tick')
      state.tickE4 = tickE4
      state.tickToldMs = clock.now()
      const { bids, asks } = state.levels.top(ALL_LEVELS)
      const isOff = [...bids, ...asks].some((level) => findLevelTrouble(level, tickE4))
      if (isOff && state.doubt === undefined) raiseDoubt(state, 'off_tick')
    },
    setLastTrade(price) {
      state.about = { ...state.about, lastTradePrice: price }
    },
    check: (book, sentMs) => checkBook(state, book, sentMs),
    read() {
      if (state.doubt !== undefined) return undefined
      const { bids, asks } = state.levels.top(ALL_LEVELS)
      const { about, bookAtMs: atMs, tickE4 } = state
      return { ...about, tokenId, conditionId, bids, asks, tickSize: toTickSize(tickE4), atMs }
    },
    asOfMs: () => state.asOfMs,
    doubt: () => state.doubt,
    isFollowing: () => state.isFollowing,
    behindSinceMs: () => state.behindSinceMs,
    aheadMs: () => (state.doubt === undefined ? undefined : state.aheadMs),
    stuckSinceMs() {
      const isStuck = state.doubt !== undefined && state.aheadMs === undefined
      return isStuck && state.subscribedMs !== undefined ? state.doubtSinceMs : undefined
    },
    tickSize: () => toTickSize(state.tickE4),
  }
}
