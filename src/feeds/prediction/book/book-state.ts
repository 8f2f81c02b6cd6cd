import type { Clock } from '../../../core/time/clock.ts'
import type { TokenBook } from '../../../upstreams/polymarket/token-book.ts'
import { createOrderBook, type OrderBook } from '../../books/order-book.ts'
import { findAheadMs, isSaneTime } from '../../sane-time.ts'
import { createRecentChanges, type RecentChanges, type TokenChanges } from './recent-changes.ts'
import { type BookTrouble, isCrossed, toGrid } from './token-levels.ts'
import type { Motion } from './venue-motion.ts'

/** As many as there are prices. */
export const ALL_LEVELS = 9_999
export const NEVER_MS = Number.NEGATIVE_INFINITY

/** Why a book is not shown. */
export type Doubt = BookTrouble | 'unknown' | 'mismatch' | 'out_of_order' | 'malformed'

/** Asked for at `askedMs` of our clock. */
type Base = Pick<TokenBook, 'bids' | 'asks' | 'atMs'> & { askedMs: number }

/** What we hold of one token's book. Times named `At` are the venue's, the others ours. */
export type BookState = {
  readonly clock: Clock
  readonly levels: OrderBook
  readonly recent: RecentChanges
  readonly motion: Motion
  /** The last whole book, to which the changes since are applied again when one of them comes late. */
  base: Base | undefined
  lateInARow: number
  about: Pick<TokenBook, 'hash' | 'lastTradePrice' | 'minOrderSize'>
  tickE4: number
  tickToldMs: number
  doubt: Doubt | undefined
  /** The doubt may come of a change that is still on its way. */
  isSuspect: boolean
  /** By how much the venue's clock is ahead of ours, where it is too much to be followed. */
  aheadMs: number | undefined
  /** When the first and the last reason for it came up. */
  doubtSinceMs: number
  doubtedMs: number
  /** Of the last change in the book, and of the newest frame. */
  bookAtMs: number
  streamAtMs: number
  /** The newest that was heard or read of the book. */
  newestAtMs: number
  subscribedMs: number | undefined
  /** First frame of this connection, or after a pause of it; from then on it brings every change. */
  streamSinceMs: number | undefined
  /** The last frame. */
  heardMs: number
  /** The book is whole, and changes may be applied to it. */
  isFollowing: boolean
  /** Since when REST has shown books that are older than ours. */
  olderSinceMs: number | undefined
  heldMs: number
  asOfMs: number
  /** Since when REST has shown a book, of the venue's time `behindAtMs`, that the connection did not bring. */
  behindSinceMs: number | undefined
  behindAtMs: number
}

export function createBookState(clock: Clock, motion: Motion, tickE4: number): BookState {
  return {
    clock,
    levels: createOrderBook({ maxLevels: ALL_LEVELS }),
    recent: createRecentChanges(),
    motion,
    base: undefined,
    lateInARow: 0,
    about: { hash: undefined, lastTradePrice: undefined, minOrderSize: undefined },
    tickE4,
    tickToldMs: NEVER_MS,
    doubt: 'unknown',
    isSuspect: false,
    aheadMs: undefined,
    doubtSinceMs: clock.now(),
    doubtedMs: NEVER_MS,
    bookAtMs: NEVER_MS,
    streamAtMs: NEVER_MS,
    newestAtMs: NEVER_MS,
    subscribedMs: undefined,
    streamSinceMs: undefined,
    heardMs: NEVER_MS,
    isFollowing: false,
    olderSinceMs: undefined,
    heldMs: NEVER_MS,
    asOfMs: NEVER_MS,
    behindSinceMs: undefined,
    behindAtMs: NEVER_MS,
  }
}

/** From now on the book is not shown; only one that was asked for later replaces it. */
export function raiseDoubt(state: BookState, doubt: Doubt): void {
  if (state.doubt === undefined) state.doubtSinceMs = state.clock.now()
  state.doubt = doubt
  state.doubtedMs = state.clock.now()
  state.isSuspect = false
  state.isFollowing = false
  state.bookAtMs = NEVER_MS
  state.asOfMs = NEVER_MS
}

/** As above; but a late change, or any REST book to which all changes fit, ends it. */
export function raiseSuspicion(state: BookState, doubt: Doubt): void {
  raiseDoubt(state, doubt)
  state.isSuspect = true
}

/** What a frame said is lost, so that a book must be at least as new. */
export function refuseFrame(state: BookState, doubt: Doubt, atMs: number | undefined): void {
  if (atMs !== undefined && isSaneTime(atMs, state.clock.now())) {
    state.streamAtMs = Math.max(state.streamAtMs, atMs)
    state.recent.forgetTo(atMs)
  }
  noteClock(state, atMs)
  raiseDoubt(state, doubt)
}

/** What is wrong with the clock of a venue that gave a book or a frame this time. */
export function noteClock(state: BookState, atMs: number | undefined): void {
  state.aheadMs = atMs === undefined ? undefined : findAheadMs(atMs, state.clock.now())
}

export const aboutOf = ({ hash, lastTradePrice, minOrderSize }: TokenBook): BookState['about'] => ({
  hash,
  lastTradePrice,
  minOrderSize,
})

export function holdBook(state: BookState, about: BookState['about'], atMs: number): void {
  state.doubt = state.olderSinceMs = state.aheadMs = undefined
  state.isSuspect = false
  state.heldMs = state.clock.now()
  state.bookAtMs = atMs
  state.about = about
}

export function confirmBook(state: BookState, heardMs: number): void {
  state.asOfMs = Math.max(state.asOfMs, heardMs)
}

/**
 * A whole book, last changed at `atMs`, that the venue gave when asked at `askedMs`. It was true then if the venue is
 * alive; one that has stopped only shows what was true at the last change.
 */
export function confirmAnswer(state: BookState, atMs: number, askedMs: number): boolean {
  if (atMs > state.newestAtMs) {
    // Of the first book nobody knows for how long it has been repeated.
    state.motion.note(state.newestAtMs === NEVER_MS ? toHeardMs(state, atMs) : state.clock.now())
    state.newestAtMs = atMs
  }
  const isAlive = atMs >= state.newestAtMs && state.motion.isMoving()
  confirmBook(state, isAlive ? askedMs : toHeardMs(state, atMs))
  return isAlive
}

/** A frame was true when the venue sent it. Where our clock is ahead, books look older than they are, never younger. */
export function toHeardMs({ clock }: BookState, atMs: number): number {
  return Math.min(clock.now(), atMs)
}

export function loadLevels(levels: OrderBook, { bids, asks }: Pick<TokenBook, 'bids' | 'asks'>): void {
  levels.load(
    bids.map(([price, shares]) => [toGrid(price), shares]),
    asks.map(([price, shares]) => [toGrid(price), shares]),
  )
}

export function applyChanges(levels: OrderBook, changes: TokenChanges): void {
  for (const { side, price, shares } of changes.levels) levels.change(side, [toGrid(price), shares])
}

/** Loads a whole book and applies what came after it, oldest first. Says what does not fit. */
export function replay(
  levels: OrderBook,
  book: Pick<TokenBook, 'bids' | 'asks' | 'atMs'>,
  since: readonly TokenChanges[],
): Doubt | undefined {
  loadLevels(levels, book)
  let wrong: Doubt | undefined
  for (const changes of since) {
    applyChanges(levels, changes)
    // The book may hold some changes of its own millisecond already, and be ahead of the others.
    const isComparable = changes.atMs > book.atMs || changes === since.at(-1)
    if (isComparable) wrong ??= findStateTrouble(levels, changes)
  }
  return wrong ?? findStateTrouble(levels, undefined)
}

/** After a whole frame our best prices must be those that the frame names. */
export function findStateTrouble(levels: OrderBook, best: Best | undefined): Doubt | undefined {
  const [bid, ask] = [levels.priceAt('bids', 1), levels.priceAt('asks', 1)]
  if (isCrossed(bid, ask)) return 'crossed'
  if (best?.bestBid !== undefined && toGrid(best.bestBid) !== (bid ?? 0)) return 'mismatch'
  if (best?.bestAsk !== undefined && toGrid(best.bestAsk) !== (ask ?? 1)) return 'mismatch'
  return undefined
}

type Best = Pick<TokenChanges, 'bestBid' | 'bestAsk'>
