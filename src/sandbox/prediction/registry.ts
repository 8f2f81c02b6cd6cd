import { DAY_MS } from '../../core/time/time.ts'
import type { Listing } from './listing.ts'
import type { VenueMarket } from './venue.ts'

/** A resolved market is found for this long. */
export const RESOLVED_KEPT_MS = DAY_MS

/** Every market of the venue by each of its names. */
export type Registry = {
  /** False if the slug is known. */
  add(listing: Listing): boolean
  bySlug(slug: string): Listing | undefined
  byCondition(conditionId: string): Listing | undefined
  byToken(tokenId: string): Listing | undefined
  all(): readonly VenueMarket[]
  /** Those that are not resolved yet. */
  pending(): Iterable<Listing>
  /** Stops visiting what is resolved, and forgets what has been so for long. */
  sweep(nowMs: number): void
}

export function createRegistry(): Registry {
  const slugs = new Map<string, Listing>()
  const conditions = new Map<string, Listing>()
  const tokens = new Map<string, Listing>()
  const pending = new Set<Listing>()
  let listed: readonly VenueMarket[] | undefined
  const forget = (listing: Listing) => {
    const { market } = listing
    slugs.delete(market.slug)
    conditions.delete(market.conditionId)
    for (const tokenId of market.tokenIds) tokens.delete(tokenId)
    listed = undefined
  }
  return {
    add(listing) {
      const { market } = listing
      if (slugs.has(market.slug)) return false
      slugs.set(market.slug, listing)
      conditions.set(market.conditionId, listing)
      for (const tokenId of market.tokenIds) tokens.set(tokenId, listing)
      pending.add(listing)
      listed = undefined
      return true
    },
    bySlug: (slug) => slugs.get(slug),
    byCondition: (conditionId) => conditions.get(conditionId),
    byToken: (tokenId) => tokens.get(tokenId),
    all() {
      listed ??= [...slugs.values()].map(({ market }) => market)
      return listed
    },
    pending: () => pending,
    sweep(nowMs) {
      for (const listing of pending) if (listing.market.state === 'resolved') pending.delete(listing)
      for (const listing of slugs.values()) {
        const { resolvedMs } = listing.market
        if (resolvedMs !== undefined && nowMs - resolvedMs > RESOLVED_KEPT_MS) forget(listing)
      }
    },
  }
}
