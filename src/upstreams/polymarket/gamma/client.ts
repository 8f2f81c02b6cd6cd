import type { Coin } from '../../../core/coin.ts'
import { orNotFound } from '../../rules/or-not-found.ts'
import { searchPart, slugPart, tagPart } from '../../rules/path-parts.ts'
import type { Upstream } from '../../upstream.ts'
import { parseWire } from '../../wire/reply.ts'
import { type FiveMinuteMarket, slugOf } from '../five-minute-market.ts'
import type { PredictionMarket } from '../prediction-market.ts'
import { parseFiveMinuteMarket } from './five-minute-wire.ts'
import {
  EventReply,
  EventsReply,
  GammaEvent,
  type GammaTag,
  type Listing,
  MarketsReply,
  SearchReply,
  TagsReply,
} from './wire.ts'

/** Fifty events with up to eighty markets of 4 kB each; what is larger would keep everything else waiting. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024
const MAX_EVENT_BYTES = 4 * 1024 * 1024
const PAGE_TIMEOUT_MS = 30_000
const MAX_LIMIT = 500
const MAX_OFFSET = 1_000_000

export type EventsQuery = {
  closed: boolean
  offset: number
  limit: number
  order: 'volume24hr' | 'endDate'
  /** By default the greatest volume first, and the latest end first. */
  ascending?: boolean
  tag?: string
}

/** The market list of Polymarket. */
export type Gamma = {
  /** Undefined while the venue does not list the window. */
  fiveMinute(coin: Coin, windowStartS: number): Promise<FiveMinuteMarket | undefined>
  events(query: EventsQuery): Promise<Listing>
  event(slug: string): Promise<Listing>
  /** Open ones and closed ones: the venue hides those that are closed unless they are asked for. */
  market(slug: string): Promise<PredictionMarket | undefined>
  search(
    text: string,
    limit: number,
  ): Promise<Listing & { hasMore: boolean; totalResults: number | undefined }>
  tags(page: { offset: number; limit: number }): Promise<readonly GammaTag[]>
}

export function createGamma(upstream: Pick<Upstream, 'ask'>): Gamma {
  const events: Gamma['events'] = async ({ closed, offset, limit, order, ascending = false, tag }) =>
    upstream.ask({
      path: '/events',
      query: {
        closed,
        order,
        ascending,
        limit: whole(limit, 1, MAX_LIMIT, 'limit'),
        offset: whole(offset, 0, MAX_OFFSET, 'offset'),
        tag_slug: tag === undefined ? undefined : tagPart(tag),
        // Without it a page of active events has archived and unopened ones, too.
        ...(!closed && { active: true, archived: false }),
      },
      schema: EventsReply,
      maxBytes: MAX_PAGE_BYTES,
      timeoutMs: PAGE_TIMEOUT_MS,
    })
  const marketBySlug = async (slug: string, closed: boolean) => {
    const query = { slug: slugPart(slug), closed, include_tag: true }
    const { markets } = await upstream.ask({ path: '/markets', query, schema: MarketsReply })
    return markets.find((market) => market.slug === slug)
  }
  return {
    events,
    async fiveMinute(coin, windowStartS) {
      const path = `/events/slug/${slugPart(slugOf(coin, windowStartS))}`
      const event = await orNotFound(upstream.ask({ path, schema: GammaEvent, maxBytes: MAX_EVENT_BYTES }))
      return event && parseFiveMinuteMarket(event, coin, windowStartS)
    },
    async event(slug) {
      // With the schema of `fiveMinute`: equal requests at the same time share one parsed reply.
      const path = `/events/slug/${slugPart(slug)}`
      const event = await upstream.ask({ path, schema: GammaEvent, maxBytes: MAX_EVENT_BYTES })
      return parseWire(EventReply, event, path)
    },
    market: async (slug) => (await marketBySlug(slug, false)) ?? marketBySlug(slug, true),
    search: async (text, limit) =>
      upstream.ask({
        path: '/public-search',
        query: { q: searchPart(text), limit_per_type: whole(limit, 1, MAX_LIMIT, 'limit') },
        schema: SearchReply,
        maxBytes: MAX_PAGE_BYTES,
      }),
    tags: async ({ offset, limit }) =>
      upstream.ask({
        path: '/tags',
        query: {
          limit: whole(limit, 1, MAX_LIMIT, 'limit'),
          offset: whole(offset, 0, MAX_OFFSET, 'offset'),
        },
        schema: TagsReply,
      }),
  }
}

function whole(value: number, min: number, max: number, name: string): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new RangeError(`${name} must be a whole number from ${min} to ${max}`)
}
