import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { usd } from '../../core/money.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { categoriesOf, whyEmpty } from './categories.ts'
import { listChanges, listOf, toRefreshed } from './find-list.ts'
import { Category, LIST_FRESH_MS, LIST_SOURCE, ListedMarket, Refreshed } from './list-fields.ts'
import type { PredictionServices } from './services.ts'
import { isActive, type ShownMarket, toListed } from './shown-list.ts'

const LIMIT = { max: 200, usual: 50 }
const MIN_VOLUME_MAX = 1e12

const Params = z.object({
  category: Category,
  active_only: z
    .boolean()
    .default(true)
    .describe('false: also markets that have ended, as far as they are listed'),
  min_volume: z
    .number()
    .min(0)
    .max(MIN_VOLUME_MAX)
    .default(0)
    .describe('Least volume of 24 hours in USDC; above 0 a market of unknown volume is left out'),
  limit: z
    .int()
    .min(1)
    .max(LIMIT.max)
    .default(LIMIT.usual)
    .describe('At most so many, the largest volume first'),
})

export const listedMarkets = defineEndpoint({
  id: 'predmkt.markets',
  method: 'GET',
  path: '/predmkt/markets',
  access: paid(usd('0.01')),
  summary: 'Prediction markets with odds, volume, liquidity and time remaining',
  description:
    'What Polymarket lists, by 24-hour volume: odds of each outcome, volume, liquidity, category, time remaining. category, active_only and min_volume narrow; a category that is not listed gives an empty list with those that are. Unknown figures are null, never 0. Read anew every five minutes, refreshed_at says when; older than 15 minutes is 503 and not charged.',
  brings: 'The most traded prediction markets with odds, volume, liquidity and time left.',
  params: Params,
  sample: { category: 'crypto', limit: 10 },
  title: () => 'Prediction markets by volume',
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    ...Refreshed.shape,
    count: z.int().min(0),
    matching: z.int().min(0).describe('Markets that pass the filters, before limit'),
    categories: z.array(z.object({ category: z.string(), markets: z.int().min(1) })),
    note: z.string().optional().describe('Why the list is empty; there only while it is'),
    markets: z.array(ListedMarket),
  }),
  freshForMs: LIST_FRESH_MS,
  changes: listChanges,
  handle: (services: PredictionServices, params) => {
    const { value, asOfMs } = listOf(services)
    const nowMs = services.clock.now()
    const shownTo = value.filter((market) => !params.active_only || isActive(market, nowMs))
    const categories = categoriesOf(shownTo)
    const matching = shownTo.filter((market) => passes(market, params))
    const markets = matching.slice(0, params.limit).map((market) => toListed(market, nowMs))
    return {
      timestamp: isoTime(asOfMs),
      source: services.sourceOf(LIST_SOURCE),
      ...toRefreshed(services, asOfMs),
      count: markets.length,
      matching: matching.length,
      categories,
      ...(markets.length === 0 && { note: whyEmpty(params.category, categories) }),
      markets,
    }
  },
})

function passes({ fields }: ShownMarket, { category, min_volume }: z.output<typeof Params>): boolean {
  if (category !== undefined && fields.category !== category) return false
  return min_volume === 0 || (fields.volume_24h_usd !== null && fields.volume_24h_usd >= min_volume)
}
