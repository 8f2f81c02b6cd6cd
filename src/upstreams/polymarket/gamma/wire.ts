import { z } from 'zod'
import { brokenRows, MAX_REASONS, NONE_SKIPPED, readRows, type Skipped } from '../../wire/list.ts'
import { maybeFlag, maybeNumber } from '../../wire/number.ts'
import { describeFault } from '../../wire/reply.ts'
import { wireArray } from '../../wire/text.ts'
import { orUnknown } from '../../wire/unknown.ts'
import type { PredictionMarket } from '../prediction-market.ts'
import { slug, title, words } from '../venue-fields.ts'
import { GammaMarket, rowId } from './market-wire.ts'
import { subjectOf } from './subject.ts'

const MAX_TAGS = 200
const MAX_MARKETS = 2_000
const MAX_EVENTS = 1_000
const MAX_PRICE_USD = 1e9
const MAX_RESULTS = 1e9

const GammaTag = z.object({ id: rowId(), slug: slug(), label: words() })
export type GammaTag = z.output<typeof GammaTag>
/** A tag whose slug cannot stand in an address cannot be asked for either: it is left out. */
export const TagsReply = wireArray(z.unknown(), MAX_EVENTS).transform((rows, { issues }) => {
  const read = readRows(rows, GammaTag)
  if (read.isBroken) issues.push(brokenRows(read.skipped))
  return read.rows
})

const TagName = z.object({ slug: slug() })
/** Tags only name the subject, so a bad one is left out and no market with it. */
const tags = () =>
  z
    .unknown()
    .optional()
    .transform((rows) => (Array.isArray(rows) ? readRows(rows.slice(0, MAX_TAGS), TagName).rows : []))
const eventName = { slug: slug(), title: words() }
const priceOfCoin = () => orUnknown(maybeNumber({ min: 0, max: MAX_PRICE_USD }))

export const GammaEvent = z.object({
  ...eventName,
  tags: tags(),
  markets: wireArray(z.unknown(), MAX_MARKETS),
  eventMetadata: orUnknown(z.object({ priceToBeat: priceOfCoin(), finalPrice: priceOfCoin() })),
  resolutionSource: title().nullish(),
})
export type GammaEvent = z.output<typeof GammaEvent>

/** Markets of several events; rows that break the format are left out and counted. */
export type Listing = {
  markets: readonly PredictionMarket[] /** Rows of the reply, good and bad. */
  events: number
  skipped: Skipped
}

/** `/events`: a list of events with their markets. */
export const EventsReply = wireArray(z.unknown(), MAX_EVENTS).transform(toListing)

/** `/events/slug/{slug}` where the event is one of many markets. */
export const EventReply = z.unknown().transform((event, context) => toListing([event], context))

/** `/public-search`. */
export const SearchReply = z
  .object({
    events: EventsReply.nullish(),
    pagination: z
      .object({ hasMore: maybeFlag(), totalResults: maybeNumber({ min: 0, max: MAX_RESULTS }) })
      .nullish(),
  })
  .transform(({ events, pagination }) => ({
    ...(events ?? { markets: [], events: 0, skipped: NONE_SKIPPED }),
    hasMore: pagination?.hasMore ?? false,
    totalResults: pagination?.totalResults,
  }))

/** `/markets?slug=`: markets that name their event themselves. */
export const MarketsReply = wireArray(z.unknown(), MAX_EVENTS).transform((rows, context): Listing => {
  const read = readRows(rows, MarketRow)
  if (read.isBroken) context.issues.push(brokenRows(read.skipped))
  return { markets: read.rows, events: rows.length, skipped: read.skipped }
})

const MarketRow = z
  .looseObject({ events: wireArray(z.object(eventName), MAX_TAGS, 1), tags: tags() })
  .transform((row, { issues }) => {
    const market = GammaMarket.safeParse(row)
    const [event] = row.events
    if (market.success && event) return toPredictionMarket(market.data, { ...event, tags: row.tags })
    const message = market.error ? describeFault(market.error) : 'events: none'
    issues.push({ code: 'custom', message, input: undefined })
    return z.NEVER
  })

function toListing(rows: readonly unknown[], { issues }: z.RefinementCtx): Listing {
  const events = readRows(rows, GammaEvent)
  const markets: PredictionMarket[] = []
  const reasons = [...events.skipped.reasons]
  let { count } = events.skipped
  for (const event of events.rows) {
    const read = readRows(event.markets, GammaMarket)
    for (const market of read.rows) markets.push(toPredictionMarket(market, event))
    count += read.skipped.count
    reasons.push(...read.skipped.reasons.map((reason) => `${event.slug}${reason}`))
  }
  const skipped = { count, reasons: reasons.slice(0, MAX_REASONS) }
  if (events.isBroken || count > markets.length) issues.push(brokenRows(skipped))
  return { markets, events: rows.length, skipped }
}

type EventOf = Pick<GammaEvent, 'slug' | 'title' | 'tags'>

function toPredictionMarket(market: GammaMarket, event: EventOf): PredictionMarket {
  const slugs = event.tags.map((tag) => tag.slug)
  return {
    id: market.id,
    slug: market.slug,
    question: market.question,
    conditionId: market.conditionId,
    event: { slug: event.slug, title: event.title },
    category: subjectOf(slugs),
    tags: slugs,
    outcomes: market.outcomes,
    active: market.active,
    closed: market.closed,
    acceptingOrders: market.acceptingOrders,
    endsAtMs: market.endDate,
    startsAtMs: market.eventStartTime ?? market.gameStartTime,
    listedAtMs: market.startDate,
    volume24hUsd: market.volume24hr,
    volume1wkUsd: market.volume1wk,
    volumeUsd: market.volumeNum ?? market.volume,
    liquidityUsd: market.liquidityNum ?? market.liquidity,
    bestBid: market.bestBid,
    bestAsk: market.bestAsk,
    lastTradePrice: market.lastTradePrice,
    priceChange1h: market.oneHourPriceChange,
    priceChange24h: market.oneDayPriceChange,
    priceChange1wk: market.oneWeekPriceChange,
    updatedAtMs: market.updatedAt,
  }
}
