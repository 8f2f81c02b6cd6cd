import type { TokenBook } from '../../../upstreams/polymarket/token-book.ts'
import { createOrderBook } from '../../books/order-book.ts'
import {
  ALL_LEVELS,
  aboutOf,
  type BookState,
  confirmBook,
  holdBook,
  raiseDoubt,
  raiseSuspicion,
  replay,
  toHeardMs,
} from './book-state.ts'

/** Frames that overtake each other are apart by less than this. */
const MAX_LATE_MS = 2_000
/** A frame that was overtaken is alone, or one of a few: where none is newer, the venue's clock was put back. */
const MAX_LATE_IN_A_ROW = 20
/** REST gives a new base more often, where it can be reached. */
const RENEW_AFTER_MS = 10_000

/** Changes older than the newest frame: all since the last whole book are applied again, in the order of the venue. */
export function takeLateChanges(state: BookState, atMs: number): void {
  if (isTooLate(state, atMs)) return void distrust(state)
  // Else a REST book is waited for, which the changes will be applied to.
  if (!state.isFollowing && !state.isSuspect) return
  if (!state.base) return void distrust(state)
  // A whole book holds what came before it.
  if (atMs >= state.base.atMs) rebuild(state, state.base, state.about)
}

/** A whole book older than the newest frame. */
export function takeLateBook(state: BookState, book: TokenBook): void {
  if (isTooLate(state, book.atMs)) return void distrust(state)
  // Else what was lost is in neither this book nor the changes: a REST book is waited for.
  if (!state.isFollowing && !state.isSuspect) return
  if (book.atMs <= (state.base?.atMs ?? book.atMs)) return
  rebuild(state, { ...book, askedMs: state.clock.now() }, aboutOf(book))
}

/** Keeps short what has to be applied again: no change is taken that is older than the new base. */
export function renewBase(state: BookState): void {
  const { base, streamAtMs, recent } = state
  if (!base || streamAtMs - base.atMs < RENEW_AFTER_MS) return
  const untilMs = streamAtMs - MAX_LATE_MS - 1
  const since = recent.missingIn(base.atMs, base.askedMs)?.filter(({ atMs }) => atMs <= untilMs)
  const levels = createOrderBook({ maxLevels: ALL_LEVELS })
  if (since) replay(levels, base, since)
  state.base = since && { ...levels.top(ALL_LEVELS), atMs: untilMs, askedMs: Number.POSITIVE_INFINITY }
}

function rebuild(state: BookState, base: NonNullable<BookState['base']>, about: BookState['about']): void {
  const since = state.recent.missingIn(base.atMs, base.askedMs)
  if (!since) return void distrust(state)
  state.base = base
  const wrong = replay(state.levels, base, since)
  if (wrong) return void raiseSuspicion(state, wrong)
  state.isFollowing = true
  holdBook(state, { ...about, hash: undefined }, Math.max(base.atMs, since.at(-1)?.atMs ?? base.atMs))
  confirmBook(state, toHeardMs(state, state.bookAtMs))
}

function isTooLate(state: BookState, atMs: number): boolean {
  state.lateInARow++
  return state.streamAtMs - atMs > MAX_LATE_MS || state.lateInARow > MAX_LATE_IN_A_ROW
}

/** What was heard so far may be of another clock. */
function distrust(state: BookState): void {
  state.recent.forgetTo(state.streamAtMs)
  raiseDoubt(state, 'out_of_order')
}
