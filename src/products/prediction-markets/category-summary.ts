import { z } from 'zod'
import { hasWeek, volumeTrend } from '../../market/prediction/volume-trend.ts'
import { CATEGORIES_SHOWN } from './categories.ts'
import type { ShownMarket } from './shown-list.ts'
import { roundMicro } from './shown-number.ts'

export const Trend = z
  .object({
    ratio: z.number().min(0).describe('Volume of 24 hours over the daily mean of the last week; 1 is usual'),
    trend: z.enum(['rising', 'steady', 'falling']).describe('rising from 1.25 on, falling up to 0.8'),
  })
  .nullable()
  .describe('Null where day or week are unknown, or the market is not known to be a week old')

export const CategorySummary = z.object({
  category: z.string(),
  markets: z.int().min(1),
  volume_24h_usd: z.number().min(0).describe('Of the markets whose volume is known'),
  liquidity_usd: z.number().min(0).describe('Of the markets whose liquidity is known'),
  unknown_volume: z.int().min(0).describe('Markets whose volume is not known'),
  volume_trend: Trend,
})
export type CategorySummary = z.input<typeof CategorySummary>

/** Each category with its markets taken together, the largest volume first. */
export function summarizeCategories(markets: readonly ShownMarket[], nowMs: number): CategorySummary[] {
  return [...Map.groupBy(markets, ({ fields }) => fields.category)]
    .map(([category, ofIt]) => summarize(category, ofIt, nowMs))
    .sort((a, b) => b.volume_24h_usd - a.volume_24h_usd || (a.category < b.category ? -1 : 1))
    .slice(0, CATEGORIES_SHOWN)
}

function summarize(category: string, markets: readonly ShownMarket[], nowMs: number): CategorySummary {
  // A day and a week are compared over the same markets: those that have both, and a whole week.
  const both = markets.filter(
    ({ fields, volume1wkUsd, listedAtMs }) =>
      fields.volume_24h_usd !== null && volume1wkUsd !== null && hasWeek(listedAtMs, nowMs),
  )
  const volumes = (of: readonly ShownMarket[]) => sumOf(of.map(({ fields }) => fields.volume_24h_usd))
  return {
    category,
    markets: markets.length,
    volume_24h_usd: volumes(markets),
    liquidity_usd: sumOf(markets.map(({ fields }) => fields.liquidity_usd)),
    unknown_volume: markets.filter(({ fields }) => fields.volume_24h_usd === null).length,
    volume_trend: compare(volumes(both), sumOf(both.map(({ volume1wkUsd }) => volume1wkUsd))),
  }
}

export function toTrend(market: ShownMarket, nowMs: number): z.input<typeof Trend> {
  const { fields, volume1wkUsd, listedAtMs } = market
  return hasWeek(listedAtMs, nowMs) ? compare(fields.volume_24h_usd, volume1wkUsd) : null
}

function compare(dayUsd: number | null, weekUsd: number | null): z.input<typeof Trend> {
  const found = volumeTrend(dayUsd ?? undefined, weekUsd ?? undefined)
  return found ? { ratio: roundMicro(found.ratio), trend: found.trend } : null
}

const CENTS = 100
/** In cents, so that the order of the list does not change the last digit. */
const sumOf = (amounts: readonly (number | null)[]): number =>
  amounts.reduce<number>((sum, amount) => sum + Math.round((amount ?? 0) * CENTS), 0) / CENTS
