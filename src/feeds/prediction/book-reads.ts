import type { Clock } from '../../core/time/clock.ts'
import type { TokenBook } from '../../upstreams/polymarket/token-book.ts'
import { createBackoff } from '../backoff.ts'
import type { FeedLog } from '../feed-log.ts'

/** Never more than one request in this time, whatever there is to read. */
const EVERY_MS = 1_000
const RETRY = { firstMs: 1_000, maxMs: 8_000 }
/** Both tokens of two windows of every coin. */
const MAX_TOKENS = 24
/** A request that takes longer no longer keeps the next one waiting. */
const GIVE_UP_MS = 10_000

/** Where books are read; tokens without a book are left out. */
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
  let sentMs: number | undefined
  let notBeforeMs = Number.NEGATIVE_INFINITY
  let requests = 0
  let failures = 0
  const read = async (tokenIds: readonly string[], atMs: number) => {
    sentMs = atMs
    notBeforeMs = atMs + EVERY_MS
    requests++
    try {
      const { books } = await lookup.books(tokenIds)
      for (const book of books.values()) onBook(book, atMs)
      backoff.reset()
    } catch (error) {
      failures++
      notBeforeMs = Math.max(notBeforeMs, clock.now() + backoff.nextMs())
      log.debug({ source: 'polymarket', tokens: tokenIds.length, error: String(error) }, 'books not read')
    }
    if (sentMs === atMs) sentMs = undefined
  }
  return {
    tick(tokenIds) {
      const nowMs = clock.now()
      const isUnderWay = sentMs !== undefined && nowMs - sentMs < GIVE_UP_MS
      if (tokenIds.length > 0 && !isUnderWay && nowMs >= notBeforeMs)
        void read(tokenIds.slice(0, MAX_TOKENS), nowMs)
    },
    get isBusy() {
      return sentMs !== undefined
    },
    counts: () => ({ requests, failures }),
  }
}
