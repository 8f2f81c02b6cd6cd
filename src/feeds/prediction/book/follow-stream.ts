import type { TokenBook } from '../../../upstreams/polymarket/token-book.ts'
import { isSaneTime } from '../../sane-time.ts'
import {
  aboutOf,
  applyChanges,
  type BookState,
  confirmAnswer,
  confirmBook,
  findStateTrouble,
  holdBook,
  loadLevels,
  NEVER_MS,
  raiseSuspicion,
  refuseFrame,
  toHeardMs,
} from './book-state.ts'
import { renewBase, takeLateBook, takeLateChanges } from './late-frames.ts'
import type { TokenChanges } from './recent-changes.ts'
import { type BookTrouble, findBookTrouble, findLevelTrouble, findTickE4 } from './token-levels.ts'

/** Stalls were seen after which a connection went on as if nothing had been: what it left out cannot be told by it. */
const PAUSE_MS = 2_500
/** Frames that are on their way arrive within this time. */
const ON_THE_WAY_MS = 1_000

/** A whole book from the connection. */
export function takeSnapshot(state: BookState, book: TokenBook): void {
  const tickE4 = findTickE4(book.tickSize) ?? state.tickE4
  const trouble = findBookTrouble(book, tickE4, state.clock.now())
  if (trouble) return void refuseFrame(state, trouble, book.atMs)
  if (book.atMs < state.streamAtMs) return void takeLateBook(state, book)
  // The first one answers our request, however long nothing has changed.
  const askedMs = state.streamSinceMs === undefined ? (state.subscribedMs ?? NEVER_MS) : NEVER_MS
  arrive(state, book.atMs)
  state.tickE4 = tickE4
  state.recent.forgetTo(book.atMs - 1)
  state.isFollowing = true
  // REST was ahead of the connection, which will catch up.
  if (book.atMs < state.bookAtMs) return
  loadLevels(state.levels, book)
  state.base = { ...book, askedMs: state.clock.now() }
  holdBook(state, aboutOf(book), book.atMs)
  confirmAnswer(state, book.atMs, Math.max(askedMs, toHeardMs(state, book.atMs)))
}

/** New sizes at prices, from the connection. */
export function takeChanges(state: BookState, changes: TokenChanges): void {
  const trouble = findChangesTrouble(changes, state.tickE4, state.clock.now())
  if (trouble) return void refuseFrame(state, trouble, changes.atMs)
  if (mayHaveLost(state, changes.atMs)) resume(state)
  const isLate = changes.atMs < state.streamAtMs
  arrive(state, changes.atMs)
  state.recent.add(changes, state.clock.now())
  if (isLate) return void takeLateChanges(state, changes.atMs)
  // Also where the venue's clock was put back.
  state.newestAtMs = changes.atMs
  state.motion.note(state.clock.now())
  if (!state.isFollowing || changes.atMs < state.bookAtMs) return
  applyChanges(state.levels, changes)
  holdBook(state, { ...state.about, hash: undefined }, changes.atMs)
  const wrong = findStateTrouble(state.levels, changes)
  if (wrong) return void raiseSuspicion(state, wrong)
  confirmBook(state, toHeardMs(state, changes.atMs))
  renewBase(state)
}

/** After a pause, or where a change that REST has shown long ago is skipped. */
function mayHaveLost(
  { clock, heardMs, behindSinceMs, behindAtMs, streamAtMs }: BookState,
  atMs: number,
): boolean {
  if (clock.now() - heardMs > PAUSE_MS) return true
  const isSkipped = streamAtMs < behindAtMs && atMs > behindAtMs
  return isSkipped && behindSinceMs !== undefined && clock.now() - behindSinceMs > ON_THE_WAY_MS
}

/** The book stays as it was, and as old, until a REST book comes to which the changes from now on belong. */
function resume(state: BookState): void {
  state.isFollowing = state.isSuspect = false
  state.streamSinceMs = state.clock.now()
  state.recent.forgetTo(state.streamAtMs)
}

function arrive(state: BookState, atMs: number): void {
  if (state.streamSinceMs === undefined) state.recent.begin(atMs)
  if (atMs >= state.streamAtMs) state.lateInARow = 0
  state.streamAtMs = Math.max(state.streamAtMs, atMs)
  state.streamSinceMs ??= state.clock.now()
  state.heardMs = state.clock.now()
  state.aheadMs = undefined
  if (atMs >= state.bookAtMs) state.behindSinceMs = undefined
}

function findChangesTrouble(changes: TokenChanges, tickE4: number, nowMs: number): BookTrouble | undefined {
  if (!isSaneTime(changes.atMs, nowMs)) return 'bad_time'
  for (const { price, shares } of changes.levels) {
    const trouble = findLevelTrouble([price, shares], tickE4)
    // A price that is gone may have been on the tick before.
    if (trouble && !(trouble === 'off_tick' && shares === 0)) return trouble
  }
  return undefined
}
