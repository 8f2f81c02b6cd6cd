import type { PredictionVenue } from '../../../prediction/venue.ts'
import { json, ok, type Reply } from '../../reply.ts'
import type { EventMarkets } from './event.ts'
import { groupByEvent } from './listing.ts'

const DEFAULT_PER_TYPE = 5
const MAX_PER_TYPE = 50
const MAX_QUERY = 200

/** Events of which a question, a slug or a tag holds every word that is looked for; the most traded first. */
export function searchEvents(
  query: URLSearchParams,
  venue: PredictionVenue,
  show: (markets: EventMarkets) => unknown,
): Reply {
  const text = query.get('q') ?? ''
  if (text.trim() === '' || text.length > MAX_QUERY)
    return json(422, { type: 'validation error', error: 'q' })
  const perType = numberOf(query.get('limit_per_type'), DEFAULT_PER_TYPE, MAX_PER_TYPE)
  const page = numberOf(query.get('page'), 1, 1_000)
  const status = query.get('events_status')
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = groupByEvent(venue.markets())
    .filter(({ isClosed }) => status !== 'active' || !isClosed)
    .filter(({ markets, slug, tags }) => {
      const all = [slug, ...tags, ...markets.map(({ question }) => question)].join(' ').toLowerCase()
      return words.every((word) => all.includes(word))
    })
    .sort((a, b) => b.volume24hr - a.volume24hr)
  const from = (page - 1) * perType
  return ok({
    events: found.slice(from, from + perType).map(({ markets }) => show(markets)),
    pagination: { hasMore: found.length > from + perType, totalResults: found.length },
  })
}

function numberOf(text: string | null, fallback: number, max: number): number {
  return text !== null && /^[1-9]\d{0,6}$/.test(text) ? Math.min(Number(text), max) : fallback
}
