import { createBackoff } from '../../core/time/backoff.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { TokenBook } from '../../upstreams/polymarket/token-book.ts'
import { isUnsent } from '../../upstreams/upstream.ts'
import type { FeedLog } from '../feed-log.ts'

/** Never more than one request in this time, whatever there is to read. */
const EVERY_MS = 1_000
const RETRY = { firstMs: 1_000, maxMs: 8_000 }
/** Both tokens of two windows of every coin. */
const MAX_TOKENS = 24

/** Where books are read; tokens without a book are left out. Answers or fails within half a minute. */
export type BookLookup = {
  books(tokenIds: readonly string[]): Promise<{ books: ReadonlyMap<string, TokenBook> }>
}

/** Reads books over REST, all that are needed in one request. */
export type BookReads = {
  /** Called every second with the tokens whose books have to be read. */
  tick(tokenIds: readonly string[]): void
  readonly isBusy: boolean
  counts(): { requests: number; failures: number }
}

type Options = {
  clock: Clock
  lookup: BookLookup
  random: () => number
  log: FeedLog
  onBook(book: TokenBook, sentMs: number): void
}

export function createBookReads({ clock, lookup, random, log, onBook }: Options): BookReads {
  const backoff = createBackoff(RETRY, random)
  // One at a time: an equal request would join the one under way, and get a book that is older than its own start.
  let isBusy = false
  let notBeforeMs = Number.NEGATIVE_INFINITY
  let requests = 0
  let failures = 0
  const read = async (tokenIds: readonly string[], atMs: number) => {
    isBusy = true
    notBeforeMs = atMs + EVERY_MS
    requests++
    try {
      const { books } = await lookup.books(tokenIds)
      for (const book of books.values()) onBook(book, atMs)
      backoff.reset()
    } catch (error) {
      failures++
      notBeforeMs = Math.max(notBeforeMs, clock.now() + backoff.nextMs())
      // What was not sent, because the host is spared, is no failure of its own.
      if (!isUnsent(error))
        log.debug({ source: 'polymarket', tokens: tokenIds.length, error: String(error) }, 'books not read')
    }
    isBusy = false
  }
  return {
    tick(tokenIds) {
      const nowMs = clock.now()
      if (tokenIds.length > 0 && !isBusy && nowMs >= notBeforeMs)
        void read(tokenIds.slice(0, MAX_TOKENS), nowMs)
    },
    get isBusy() {
      return isBusy
    },
    counts: () => ({ requests, failures }),
  }
}
