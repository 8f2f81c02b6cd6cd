import { z } from 'zod'
import { ServiceError } from '../../core/service-error.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { PredictionMarket } from '../../upstreams/polymarket/prediction-market.ts'
import type { Aged } from '../../upstreams/source.ts'
import type { PredictionServices } from './services.ts'
import { shownChange, shownPrice, shownTime, shownUsd } from './shown-number.ts'
import { shownText } from './shown-text.ts'

export const LIST_SOURCE = 'polymarket_gamma'
/** The list is read every five minutes; this allows for two reads that fail. */
export const LIST_FRESH_MS = 15 * MINUTE_MS
const TITLE_CHARS = 200
const LABEL_CHARS = 60
const SLUG_CHARS = 200
const CATEGORY_CHARS = 40
/** Markets have two; the bound is for a venue that says otherwise. */
const OUTCOMES_SHOWN = 10

const Price = z.number().min(0).max(1).nullable()
const Dollars = z.number().min(0).nullable()

export const Category = z
  .string()
  .trim()
  .min(1)
  .max(CATEGORY_CHARS)
  .toLowerCase()
  .optional()
  .describe('Such as crypto, politics, sports or weather; one that the list lacks gives an empty list')

export const Odds = z.array(z.object({ label: z.string(), token_id: z.string().nullable(), price: Price }))

export const ListedMarket = z.object({
  slug: z.string(),
  question: z.string(),
  condition_id: z.string(),
  event_slug: z.string(),
  event_title: z.string(),
  category: z.string(),
  active: z.boolean().describe('Listed, not closed, and its end has not passed'),
  accepting_orders: z.boolean(),
  ends_at: z.iso.datetime().nullable(),
  seconds_remaining: z.int().min(0).nullable().describe('Null where the venue names no end'),
  outcomes: Odds.describe('The price of an outcome is its odds, 0..1; null where the venue does not say'),
  best_bid: Price.describe('Of the first outcome'),
  best_ask: Price.describe('Of the first outcome'),
  last_trade_price: Price,
  price_change_24h: z.number().min(-1).max(1).nullable().describe('In price: 0.05 is five cents'),
  volume_24h_usd: Dollars.describe('Null means unknown, not zero'),
  volume_usd: Dollars,
  liquidity_usd: Dollars,
})

export const Refreshed = z.object({
  refreshed_at: z.iso.datetime().describe('When the list was read; it is read every five minutes'),
  next_refresh_at: z.iso.datetime(),
})

/** The last whole list; 503 where there is none or it is too old. */
export function listOf({ list, clock }: PredictionServices): Aged<readonly PredictionMarket[]> {
  const last = list.last()
  const hint = 'try again after Retry-After; nothing was charged'
  if (!last) throw new ServiceError('upstream_unavailable', `no list of markets: ${list.missing()}`, { hint })
  const ageMs = clock.now() - last.asOfMs
  if (ageMs <= LIST_FRESH_MS) return last
  const age = `the list of markets is ${Math.round(ageMs / MINUTE_MS)} minutes old`
  throw new ServiceError('stale_data', `${age}: ${list.missing()}`, { hint })
}

export function toRefreshed({ list }: PredictionServices, asOfMs: number): z.input<typeof Refreshed> {
  const refreshed_at = new Date(asOfMs).toISOString()
  return { refreshed_at, next_refresh_at: shownTime(list.nextMs()) ?? refreshed_at }
}

/** Whole seconds: time remaining is shown in them. */
export const listChanges = ({ list, clock }: PredictionServices): unknown[] => {
  const last = list.last()
  return [last?.value, last?.asOfMs, list.nextMs(), Math.floor(clock.now() / 1000)]
}

export const isActive = ({ active, closed, endsAtMs }: PredictionMarket, nowMs: number): boolean =>
  active && !closed && (endsAtMs === undefined || endsAtMs > nowMs)

/** Largest volume of a day first, unknown ones last, equal ones by slug: the same list gives the same order. */
export function byVolume(a: PredictionMarket, b: PredictionMarket): number {
  const difference = (shownUsd(b.volume24hUsd) ?? -1) - (shownUsd(a.volume24hUsd) ?? -1)
  return difference || (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0)
}

export const categoryOf = ({ category }: PredictionMarket): string =>
  shownText(category, CATEGORY_CHARS).toLowerCase() || 'other'

export function toListed(market: PredictionMarket, nowMs: number): z.input<typeof ListedMarket> {
  const { event, endsAtMs } = market
  const ends_at = shownTime(endsAtMs)
  return {
    slug: shownText(market.slug, SLUG_CHARS),
    question: shownText(market.question, TITLE_CHARS),
    condition_id: shownText(market.conditionId, LABEL_CHARS + SLUG_CHARS),
    event_slug: shownText(event.slug, SLUG_CHARS),
    event_title: shownText(event.title, TITLE_CHARS),
    category: categoryOf(market),
    active: isActive(market, nowMs),
    accepting_orders: market.acceptingOrders,
    ends_at,
    seconds_remaining:
      ends_at === null || endsAtMs === undefined ? null : Math.max(0, Math.ceil((endsAtMs - nowMs) / 1000)),
    outcomes: toOdds(market),
    best_bid: shownPrice(market.bestBid),
    best_ask: shownPrice(market.bestAsk),
    last_trade_price: shownPrice(market.lastTradePrice),
    price_change_24h: shownChange(market.priceChange24h),
    volume_24h_usd: shownUsd(market.volume24hUsd),
    volume_usd: shownUsd(market.volumeUsd),
    liquidity_usd: shownUsd(market.liquidityUsd),
  }
}

function toOdds({ outcomes }: PredictionMarket): z.input<typeof Odds> {
  return outcomes.slice(0, OUTCOMES_SHOWN).map(({ label, tokenId, price }) => ({
    label: shownText(label, LABEL_CHARS),
    token_id: tokenId ?? null,
    price: shownPrice(price),
  }))
}
