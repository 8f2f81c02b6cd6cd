import { z } from 'zod'
import { MINUTE_MS } from '../../core/time/time.ts'

export const LIST_SOURCE = 'polymarket_gamma'
/** The list is read every five minutes; this allows for two reads that fail. */
export const LIST_FRESH_MS = 15 * MINUTE_MS
export const CATEGORY_CHARS = 40

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
  accepting_orders: z.boolean().nullable().describe('Null where the venue does not say'),
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
  next_refresh_at: z.iso.datetime().describe('When the next list is due; in the past while it is being read'),
  events_read: z
    .int()
    .nonnegative()
    .describe(
      'The list is of the markets of so many events, the most traded ones, and of those that closed last',
    ),
})
