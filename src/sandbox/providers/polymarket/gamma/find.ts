import type { PredictionVenue, VenueMarket } from '../../../prediction/venue.ts'
import { describeEvent } from './describe.ts'
import type { EventMarkets } from './event.ts'
import { groupByEvent } from './listing.ts'

/** Slugs, ids and tokens that one request may name. */
const MAX_NAMES = 100

/** Looks up what a request names. A window that has not been listed yet is found by its slug. */
export function createFinders(venue: PredictionVenue) {
  const siblingsOf = (market: VenueMarket): EventMarkets => {
    if (market.series) return [market]
    const [first, ...others] = venue.markets().filter(({ eventSlug }) => eventSlug === market.eventSlug)
    return first ? [first, ...others] : [market]
  }
  const eventBySlug = (slug: string): EventMarkets | undefined => {
    const market = venue.findBySlug(slug) ?? venue.markets().find(({ eventSlug }) => eventSlug === slug)
    return market?.eventSlug === slug ? siblingsOf(market) : undefined
  }
  return {
    siblingsOf,
    eventBySlug,
    eventById: (id: string): EventMarkets | undefined =>
      groupByEvent(venue.markets()).find(({ markets: [first] }) => describeEvent(first).id === id)?.markets,
    marketById: (id: string) => venue.markets().find((market) => market.id === id),
    /** Events that a query names; undefined where it names none. */
    namedEvents(query: URLSearchParams): readonly VenueMarket[] | 'too many' | undefined {
      const slugs = namesOf(query, 'slug')
      if (!slugs) return 'too many'
      return slugs.length > 0 ? slugs.flatMap((slug) => eventBySlug(slug) ?? []) : undefined
    },
    namedMarkets(query: URLSearchParams): readonly VenueMarket[] | 'too many' | undefined {
      const finders = {
        slug: venue.findBySlug,
        condition_ids: venue.findByCondition,
        clob_token_ids: venue.findByToken,
      }
      for (const [name, find] of Object.entries(finders)) {
        const names = namesOf(query, name)
        if (!names) return 'too many'
        if (names.length > 0) return [...new Set(names.flatMap((each) => find(each) ?? []))]
      }
      return undefined
    },
  }
}

/** `name=a&name=b` and `name=a,b`; undefined where there are too many. */
function namesOf(query: URLSearchParams, name: string): readonly string[] | undefined {
  const names = query.getAll(name).flatMap((text) => text.split(','))
  return names.length > MAX_NAMES ? undefined : [...new Set(names.filter((text) => text !== ''))]
}
