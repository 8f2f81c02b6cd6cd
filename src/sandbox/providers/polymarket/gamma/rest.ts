import type { VenueMarket } from '../../../prediction/venue.ts'
import { json, ok, type Read, type Reply } from '../../reply.ts'
import { type EventMarkets, type EventSources, eventFields, toGammaEvent } from './event.ts'
import { createFinders } from './find.ts'
import { groupByEvent, parseListing, toMarketRow } from './listing.ts'
import { toGammaMarket } from './market.ts'
import { searchEvents } from './search.ts'
import { createSeries } from './series.ts'
import { listTags, toTag } from './tags.ts'

const NOT_FOUND = json(404, { type: 'not found error', error: 'not found' })
const invalid = (error: string) => json(422, { type: 'validation error', error })
const EVENT_SCHEMA = 'https://gamma-api.polymarket.com/schemas/Event.json'

/** Gamma's REST addresses. */
export function createGammaRest(given: Omit<EventSources, 'series'>): Read {
  const { venue } = given
  const sources = { ...given, series: createSeries(venue) }
  const find = createFinders(venue)
  const eventOf = (markets: EventMarkets) => toGammaEvent(markets, sources)
  const marketOf = (market: VenueMarket) => ({
    ...toGammaMarket(market, venue),
    events: [eventFields(find.siblingsOf(market), sources)],
  })
  const answerEvent = (markets: EventMarkets | undefined) =>
    markets ? ok({ $schema: EVENT_SCHEMA, ...eventOf(markets) }) : NOT_FOUND
  const answerMarket = (market: VenueMarket | undefined) => (market ? ok(marketOf(market)) : NOT_FOUND)

  const lists: Readonly<Record<string, (query: URLSearchParams) => Reply>> = {
    '/events'(query) {
      const listing = parseListing(query, undefined)
      const named = find.namedEvents(query)
      if (typeof listing === 'string') return invalid(listing)
      if (named === 'too many') return invalid(named)
      const rows = listing.select(groupByEvent(named ?? venue.markets()))
      return ok(rows.map(({ markets }) => eventOf(markets)))
    },
    '/markets'(query) {
      const listing = parseListing(query, false)
      const named = find.namedMarkets(query)
      if (typeof listing === 'string') return invalid(listing)
      if (named === 'too many') return invalid(named)
      const rows = listing.select((named ?? venue.markets()).map(toMarketRow))
      const tagsOf = ({ tags }: VenueMarket) =>
        query.get('include_tag') === 'true' ? { tags: tags.map(toTag) } : {}
      return ok(rows.map(({ markets: [market] }) => ({ ...marketOf(market), ...tagsOf(market) })))
    },
    '/public-search': (query) => searchEvents(query, venue, eventOf),
    '/tags': (query) => pageOf(listTags(venue), query),
    '/series'(query) {
      const slug = query.get('slug')
      return ok(sources.series.all().filter((each) => slug === null || each.slug === slug))
    },
  }
  return (path, query) => {
    if (Object.hasOwn(lists, path)) return lists[path]?.(query)
    const [, root, kind = '', slug = '', ...more] = path.split('/')
    if (more.length > 0 || (slug !== '') !== (kind === 'slug')) return undefined
    if (root === 'events') return answerEvent(slug ? find.eventBySlug(slug) : find.eventById(kind))
    if (root === 'markets') return answerMarket(slug ? venue.findBySlug(slug) : find.marketById(kind))
    return root === 'tags' && slug ? ok(toTag(slug)) : undefined
  }
}

function pageOf(rows: readonly unknown[], query: URLSearchParams): Reply {
  const listing = parseListing(query, undefined)
  if (typeof listing === 'string') return invalid(listing)
  return ok(rows.slice(listing.offset, listing.offset + listing.limit))
}
