import type { Level } from '../../../core/level.ts'
import { createOrderBook } from '../../books/order-book.ts'
import { BOOK_LEVELS, type RawBook } from '../venue-client.ts'
import type { Level2Change } from './wire.ts'

/** Per side; real books have tens of thousands. */
const MAX_LEVELS = 100_000

/**
 * Coinbase numbers no change of its book. What can be noticed is a change before the snapshot, and a change older than
 * the one before it. A lost change shows only when the book crosses, or at the next refresh.
 */
export type Level2Book = {
  load(bids: readonly Level[], asks: readonly Level[]): void
  /** `early`: there is no snapshot yet. `disorder`: older than the change before it. */
  change(changes: readonly Level2Change[], atMs: number | undefined): 'early' | 'changed' | 'disorder'
  read(): RawBook
}

export function createLevel2Book(): Level2Book {
  const book = createOrderBook({ maxLevels: MAX_LEVELS })
  let isLoaded = false
  let newestMs = 0
  let changedMs: number | undefined
  return {
    load(bids, asks) {
      book.load(bids, asks)
      isLoaded = true
      newestMs = 0
      changedMs = undefined
    },
    change(changes, atMs = 0) {
      if (!isLoaded) return 'early'
      // Some real changes carry the year 1; they cannot be compared.
      const isTimed = atMs > 0
      if (isTimed && atMs < newestMs) return 'disorder'
      if (isTimed) newestMs = atMs
      for (const { side, level } of changes) book.change(side, level)
      changedMs = atMs
      return 'changed'
    },
    read: () => ({ ...book.top(BOOK_LEVELS), atMs: changedMs }),
  }
}
