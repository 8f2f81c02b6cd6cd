import { DOLLAR_E4, priceFor } from './book/amounts.ts'
import type { Listing } from './listing.ts'
import type { Registry } from './registry.ts'
import type { PredictionVenue, VenueBook } from './venue.ts'

type Reads = Pick<PredictionVenue, 'markets' | 'findByCondition' | 'findByToken' | 'book' | 'priceAt'>

/** What can be read of the venue without changing it. */
export function createVenueReads(registry: Registry, nowMs: () => number): Reads {
  return {
    markets: registry.all,
    findByCondition: (conditionId) => registry.byCondition(conditionId)?.market,
    findByToken: (tokenId) => registry.byToken(tokenId)?.market,
    book(tokenId) {
      const listing = registry.byToken(tokenId)
      return listing && listing.market.state !== 'resolved' ? bookOf(listing, tokenId) : undefined
    },
    priceAt(tokenId, atMs) {
      const listing = registry.byToken(tokenId)
      if (!listing || !(atMs >= listing.market.listedMs && atMs <= nowMs())) return undefined
      const firstE4 = Math.round(listing.fairAt(atMs) * DOLLAR_E4)
      return priceFor(tokenAt(listing, tokenId), firstE4)
    },
  }
}

function bookOf(listing: Listing, tokenId: string): VenueBook {
  const token = tokenAt(listing, tokenId)
  const side = (isBid: boolean) =>
    listing.book
      .levels(isBid === (token === 0))
      .map(([price, shares]) => [priceFor(token, price), shares] as const)
  return { tokenId, bids: side(true), asks: side(false), atMs: listing.changedMs }
}

function tokenAt({ market }: Listing, tokenId: string): 0 | 1 {
  return market.tokenIds[0] === tokenId ? 0 : 1
}
