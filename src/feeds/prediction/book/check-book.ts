import type { TokenBook } from '../../../upstreams/polymarket/token-book.ts'
import {
  ALL_LEVELS,
  aboutOf,
  type BookState,
  confirmAnswer,
  holdBook,
  noteClock,
  raiseDoubt,
  replay,
} from './book-state.ts'
import { equalLevels, findBookTrouble, findTickE4 } from './token-levels.ts'

/** What became of a book that was read over REST; `useless` leaves ours as it was, or in doubt. */
export type Check = 'confirmed' | 'newer' | 'loaded' | 'repaired' | 'useless'

/** Hosts that lag behind others show older books for less than this. */
const PUT_BACK_MS = 5_000

/**
 * Compares our book with one that was asked for at `sentMs` of our clock. What the connection brought since is applied
 * to it first; then it must be equal to ours, or it replaces ours.
 */
export function checkBook(state: BookState, book: TokenBook, sentMs: number): Check {
  const tickE4 = tickOf(state, book, sentMs)
  noteClock(state, book.atMs)
  if (findBookTrouble(book, tickE4, state.clock.now())) return 'useless'
  if (state.doubt !== undefined && !state.isSuspect && sentMs < state.doubtedMs) return 'useless'
  const since = state.recent.missingIn(book.atMs, sentMs)
  const last = since?.at(-1)
  const atMs = Math.max(book.atMs, last?.atMs ?? book.atMs)
  if (!since && atMs < state.streamAtMs) return 'useless'
  if (atMs < state.bookAtMs) return refuseOlder(state, sentMs)
  const isFirst = state.doubt === 'unknown'
  const had = state.doubt === undefined ? state.levels.top(ALL_LEVELS) : undefined
  const hadAtMs = state.bookAtMs
  const wrong = replay(state.levels, book, since ?? [])
  if (wrong) {
    // What is in doubt already stays in doubt for its own reason.
    if (had) raiseDoubt(state, wrong)
    return 'useless'
  }
  state.tickE4 = tickE4
  state.base = { ...book, askedMs: sentMs }
  holdBook(state, last ? { ...aboutOf(book), hash: undefined } : aboutOf(book), atMs)
  const isAlive = confirmAnswer(state, state.bookAtMs, sentMs)
  state.isFollowing ||= state.streamSinceMs !== undefined && state.streamSinceMs <= sentMs
  const now = state.levels.top(ALL_LEVELS)
  if (had && equalLevels(had.bids, now.bids) && equalLevels(had.asks, now.asks))
    return isAlive ? 'confirmed' : 'useless'
  const isAhead = state.bookAtMs > state.streamAtMs
  if (isAhead && state.subscribedMs !== undefined) {
    state.behindSinceMs ??= state.clock.now()
    state.behindAtMs = state.bookAtMs
  }
  if (isFirst) return 'loaded'
  return had && state.bookAtMs > hadAtMs ? 'newer' : 'repaired'
}

/**
 * A reply that was on its way while ours changed is no wonder. Where one that was asked for later is older, again and
 * again, the venue's clock was put back, and ours would stay the newest for as long.
 */
function refuseOlder(state: BookState, sentMs: number): Check {
  if (sentMs <= state.heldMs) return 'useless'
  state.olderSinceMs ??= state.clock.now()
  if (state.clock.now() - state.olderSinceMs >= PUT_BACK_MS) raiseDoubt(state, 'out_of_order')
  return 'useless'
}

/** A book that was asked for before the venue told of a finer tick still names the old one. */
function tickOf(state: BookState, { tickSize }: TokenBook, sentMs: number): number {
  const told = findTickE4(tickSize) ?? state.tickE4
  return sentMs < state.tickToldMs ? Math.min(told, state.tickE4) : told
}
