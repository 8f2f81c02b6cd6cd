import type { Clock } from '../../core/time/clock.ts'
import type { WatercoolerBook } from '../../ledger/ports/watercooler-book.ts'

export type CommunityServices = {
  clock: Clock
  watercooler: Pick<WatercoolerBook, 'add' | 'newest'>
  pageViews: PageViewCounter
  sourceOf(source: string): string
}

export type PageViewCounter = {
  /** Counts a view of a page by a client; neither the client nor anything that leads back to it is kept. */
  count(client: string, page: string): void
}
