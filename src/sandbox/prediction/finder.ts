import type { Lifecycle } from './lifecycle.ts'
import type { Listing } from './listing.ts'
import type { Others } from './others/other-crowd.ts'
import type { Registry } from './registry.ts'
import type { PredictionVenue, VenueMarket } from './venue.ts'
import type { Windows } from './windows/windows.ts'

type Input = {
  registry: Registry
  windows: Windows
  others: Others
  lifecycle: Lifecycle
  /** Lists it without telling anybody. */
  listQuietly: (made: Listing) => VenueMarket
  nowMs: () => number
}

/** Markets by name, also those that are not listed: all about them follows from the seed and the name. */
export function createFinder(input: Input): Pick<PredictionVenue, 'findBySlug' | 'recall'> {
  const { registry, windows, others, lifecycle, listQuietly, nowMs } = input
  return {
    findBySlug(slug) {
      const known = registry.bySlug(slug)
      if (known) return known.market
      const made = windows.make(slug, nowMs())
      return made && listQuietly(made)
    },
    recall(slug) {
      const known = registry.bySlug(slug)
      if (known) return known.market
      const made = windows.make(slug, nowMs(), Number.POSITIVE_INFINITY) ?? others.make(slug, nowMs())
      if (!made) return undefined
      lifecycle.catchUp(made, nowMs())
      // What is over is not listed again.
      return made.market.state === 'resolved' ? made.market : listQuietly(made)
    },
  }
}
