import type { Coin } from '../../../core/coin.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { BookSequenceError, type RawBook } from '../venue-client.ts'
import { createDepthSync, type DepthSync } from './depth-sync.ts'
import type { DepthChange, DepthSnapshot } from './wire.ts'

/** Snapshots asked for in a row when each was older than the changes we have. */
const SNAPSHOT_ATTEMPTS = 3
/** Between snapshots asked for because few levels are left. Four coins then stay within the rate limit of REST. */
const FEW_LEVELS_EVERY_MS = 5_000

/** The books of Binance, one for each coin whose changes we are subscribed to. */
export type BinanceBooks = {
  open(coin: Coin): void
  close(coin: Coin): void
  change(coin: Coin, change: DepthChange): void
  /** Loads a new snapshot. The book at hand stays until it has come, and also if it does not come. */
  refresh(coin: Coin): void
}

type Options = {
  clock: Clock
  readSnapshot(coin: Coin): Promise<DepthSnapshot>
  onBook(coin: Coin, book: RawBook): void
  onFailed(coin: Coin, error: Error): void
}

type Synced = { sync: DepthSync; isAsking: boolean; askedMs: number }

export function createBinanceBooks({ clock, readSnapshot, onBook, onFailed }: Options): BinanceBooks {
  const books = new Map<Coin, Synced>()

  const handOn = (coin: Coin, book: Synced) => {
    const reach = book.sync.reach()
    if (reach === 'lost') return onFailed(coin, new BookSequenceError('the price left the snapshot'))
    onBook(coin, book.sync.read())
    if (reach === 'few' && clock.now() - book.askedMs >= FEW_LEVELS_EVERY_MS) void load(coin, book)
  }
  const load = async (coin: Coin, book: Synced) => {
    if (book.isAsking) return
    book.isAsking = true
    book.askedMs = clock.now()
    book.sync.awaitSnapshot()
    try {
      for (let attempt = 0; attempt < SNAPSHOT_ATTEMPTS; attempt++) {
        const snapshot = await readSnapshot(coin)
        // The subscription it was requested for has ended.
        if (books.get(coin) !== book) return
        if (book.sync.start(snapshot) === 'changed') return handOn(coin, book)
      }
      throw new BookSequenceError('snapshots older than the changes')
    } catch (error) {
      if (books.get(coin) !== book || book.sync.isLoaded) return
      onFailed(coin, error instanceof Error ? error : new Error(String(error)))
    } finally {
      book.isAsking = false
    }
  }
  return {
    open: (coin) => void books.set(coin, { sync: createDepthSync(), isAsking: false, askedMs: 0 }),
    close: (coin) => void books.delete(coin),
    change(coin, change) {
      const book = books.get(coin)
      if (!book) return
      const taken = book.sync.change(change)
      if (taken === 'changed') handOn(coin, book)
      else if (taken === 'gap') onFailed(coin, new BookSequenceError(`gap before ${change.firstId}`))
      // Not sooner: a snapshot requested before the first change is often older than it.
      else if (taken === 'kept') void load(coin, book)
    },
    refresh(coin) {
      const book = books.get(coin)
      if (book?.sync.isLoaded) void load(coin, book)
    },
  }
}
