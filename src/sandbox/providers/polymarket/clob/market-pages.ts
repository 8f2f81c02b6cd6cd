import type { VenueMarket } from '../../../prediction/venue.ts'
import { json, ok, type Reply } from '../../reply.ts'

const PAGE = 100
/** `-1` in base64, as the venue says that there is no more. */
const END_CURSOR = 'LTE='

/** A page of a list; the cursor is the offset in base64. */
export function pageOfMarkets(
  query: URLSearchParams,
  markets: readonly VenueMarket[],
  show: (market: VenueMarket) => unknown,
): Reply {
  const cursor = query.get('next_cursor') || Buffer.from('0').toString('base64')
  const text = Buffer.from(cursor, 'base64').toString()
  if (cursor === END_CURSOR) return ok({ data: [], next_cursor: END_CURSOR, limit: PAGE, count: 0 })
  if (!/^\d{1,9}$/.test(text)) return json(400, { error: 'invalid next_cursor' })
  const from = Number(text)
  const data = markets.slice(from, from + PAGE).map(show)
  const isLast = from + PAGE >= markets.length
  const next_cursor = isLast ? END_CURSOR : Buffer.from(String(from + PAGE)).toString('base64')
  return ok({ data, next_cursor, limit: PAGE, count: data.length })
}
