import type { Book } from '../../feeds/events.ts'
import { isUsableBook } from './usable-event.ts'

/** `offsetBps` is the distance from the mid, `imbalance` the same in half spreads, -1..1. Positive: a rise is likelier. */
export type MicroPrice = { price: number; offsetBps: number; imbalance: number; asOfMs: number }

export type MicroPriceTracker = {
  book(book: Book): void
  lost(): void
  /** Of the newest book, without smoothing. Undefined before the first book and while it is not trusted. */
  read(): MicroPrice | undefined
}

/** The mid of the best bid and ask, shifted towards the side with less size, which is used up first. */
export function createMicroPrice(): MicroPriceTracker {
  let mid = Number.NaN
  let halfSpread = 0
  let imbalance = 0
  let asOfMs = 0
  return {
    book(book) {
      const bid = book.bids[0]
      const ask = book.asks[0]
      if (!bid || !ask || !isUsableBook(book)) {
        mid = Number.NaN
        return
      }
      halfSpread = (ask[0] - bid[0]) / 2
      mid = bid[0] + halfSpread
      imbalance = (bid[1] - ask[1]) / (bid[1] + ask[1])
      if (book.atMs > asOfMs) asOfMs = book.atMs
    },
    lost() {
      mid = Number.NaN
    },
    read() {
      if (Number.isNaN(mid)) return undefined
      const offset = halfSpread * imbalance
      return { price: mid + offset, offsetBps: (offset / mid) * 10_000, imbalance, asOfMs }
    },
  }
}
