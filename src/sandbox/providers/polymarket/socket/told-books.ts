import type { LevelChange, PredictionVenue, VenueBook, VenueMarket } from '../../../prediction/venue.ts'
import { levelChanges } from './level-changes.ts'

export type ChangedBook = { book: VenueBook; changes: readonly LevelChange[]; isBestNew: boolean }

/** The books of watched markets as their listeners know them. */
export type ToldBooks = {
  has(market: VenueMarket): boolean
  of(market: VenueMarket): readonly VenueBook[]
  /** Takes the books as they stand now, and says what is new; nothing where there was no book before. */
  update(market: VenueMarket): readonly ChangedBook[]
  forget(market: VenueMarket): void
}

export function createToldBooks(venue: PredictionVenue): ToldBooks {
  const books = new Map<string, VenueBook>()
  return {
    has: ({ tokenIds }) => tokenIds.some((tokenId) => books.has(tokenId)),
    of: ({ tokenIds }) => tokenIds.flatMap((tokenId) => books.get(tokenId) ?? []),
    update({ tokenIds }) {
      const changed: ChangedBook[] = []
      for (const tokenId of tokenIds) {
        const now = venue.book(tokenId)
        if (!now) continue
        const before = books.get(tokenId)
        const changes = before ? levelChanges(before, now) : []
        if (before && changes.length === 0) continue
        // A copy: the venue may go on with its own lists. A trade is told before the venue has noted the time of it.
        const atMs = before ? Math.max(now.atMs, venue.nowMs()) : now.atMs
        const book = { tokenId, bids: [...now.bids], asks: [...now.asks], atMs }
        books.set(tokenId, book)
        if (before) changed.push({ book, changes, isBestNew: bestOf(before) !== bestOf(book) })
      }
      return changed
    },
    forget({ tokenIds }) {
      for (const tokenId of tokenIds) books.delete(tokenId)
    },
  }
}

const bestOf = ({ bids, asks }: VenueBook) => `${bids[0]?.[0]} ${asks[0]?.[0]}`
