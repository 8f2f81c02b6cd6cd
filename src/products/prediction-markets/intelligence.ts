import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { usd } from '../../core/money.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { whyEmpty } from './categories.ts'
import { CategorySummary, summarizeCategories, Trend, toTrend } from './category-summary.ts'
import { listChanges, listOf, toRefreshed } from './find-list.ts'
import { Category, LIST_FRESH_MS, LIST_SOURCE, ListedMarket, Refreshed } from './list-fields.ts'
import { Mover, moversIn } from './movers.ts'
import { Positions, positionChanges, positionsOf } from './positions.ts'
import type { PredictionServices } from './services.ts'
import { isActive, type ShownMarket, toListed } from './shown-list.ts'
import { roundMicro } from './shown-number.ts'

const LIMIT = { max: 100, usual: 30 }

const MarketOdds = z.object({
  ...ListedMarket.shape,
  favourite: z
    .object({ label: z.string(), price: z.number().min(0).max(1) })
    .nullable()
    .describe('The outcome with the highest odds; null where none is known'),
  spread: z.number().min(0).nullable().describe('Best ask less best bid; null while one is missing'),
  volume_trend: Trend,
})

export const marketIntelligence = defineEndpoint({
  id: 'predmkt.intelligence',
  method: 'GET',
  path: '/prediction-markets',
  access: paid(usd('0.03')),
  summary: 'Odds, volume trends, movers and category summaries of prediction markets, with our positions',
  description:
    'Active Polymarket markets by 24-hour volume with odds, favourite, spread and volume trend (24 hours against the daily mean of the week, of markets that are a week old), the largest price moves of 24 hours, a summary of each category, and what the operator’s own account holds. category narrows; one that is not listed gives empty lists. From a list that is read every five minutes; older than 15 minutes is 503 and not charged.',
  brings: 'The most traded prediction markets, the largest moves of a day and a summary of each category.',
  params: z.object({
    category: Category,
    limit: z.int().min(1).max(LIMIT.max).default(LIMIT.usual).describe('At most so many markets'),
  }),
  sample: { category: 'crypto', limit: 10 },
  title: () => 'Prediction-market intelligence',
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    ...Refreshed.shape,
    count: z.int().min(0),
    matching: z.int().min(0).describe('Active markets of the category, before limit'),
    note: z.string().optional().describe('Why the list is empty; there only while it is'),
    markets: z.array(MarketOdds),
    movers: z
      .array(Mover)
      .describe('Largest price changes of 24 hours among the matching markets, without five-minute windows'),
    categories: z.array(CategorySummary).describe('All categories, whichever was asked for'),
    ...Positions.shape,
  }),
  freshForMs: LIST_FRESH_MS,
  changes: (services: PredictionServices) => [...listChanges(services), ...positionChanges(services)],
  handle: (services: PredictionServices, { category, limit }) => {
    const { value, asOfMs } = listOf(services)
    const nowMs = services.clock.now()
    const active = value.filter((market) => isActive(market, nowMs))
    const matching = active.filter(({ fields }) => category === undefined || fields.category === category)
    const categories = summarizeCategories(active, nowMs)
    const markets = matching.slice(0, limit).map((market) => toOdds(market, nowMs))
    return {
      timestamp: isoTime(asOfMs),
      source: services.sourceOf(LIST_SOURCE),
      ...toRefreshed(services, asOfMs),
      count: markets.length,
      matching: matching.length,
      ...(markets.length === 0 && { note: whyEmpty(category, categories) }),
      markets,
      movers: moversIn(matching),
      categories,
      ...positionsOf(services),
    }
  },
})

function toOdds(market: ShownMarket, nowMs: number): z.input<typeof MarketOdds> {
  const listed = toListed(market, nowMs)
  const { best_bid, best_ask } = listed
  const known = listed.outcomes.flatMap(({ label, price }) => (price === null ? [] : { label, price }))
  const favourite = known.reduce<(typeof known)[number] | null>(
    (best, each) => (best === null || each.price > best.price ? each : best),
    null,
  )
  const isCrossed = best_bid === null || best_ask === null || best_bid > best_ask
  return {
    ...listed,
    favourite,
    spread: isCrossed ? null : roundMicro(best_ask - best_bid),
    volume_trend: toTrend(market, nowMs),
  }
}
