import { z } from 'zod'
import { volumeTrend } from '../../market/prediction/volume-trend.ts'
import type { PredictionMarket } from '../../upstreams/polymarket/prediction-market.ts'
import { CATEGORIES_SHOWN } from './categories.ts'
import { categoryOf } from './list-fields.ts'
import { roundMicro, shownUsd } from './shown-number.ts'

export const Trend = z
  .object({
    ratio: z.number().min(0).describe('Volume of 24 hours over the daily mean of the last week; 1 is usual'),
    trend: z.enum(['rising', 'steady', 'falling']).describe('rising from 1.25 on, falling up to 0.8'),
  })
  .nullable()
  .describe('Null where day or week are unknown')

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
export function summarizeCategories(markets: readonly PredictionMarket[]): CategorySummary[] {
  return [...Map.groupBy(markets, categoryOf)]
    .map(([category, ofIt]) => summarize(category, ofIt))
    .sort((a, b) => b.volume_24h_usd - a.volume_24h_usd || (a.category < b.category ? -1 : 1))
    .slice(0, CATEGORIES_SHOWN)
}

function summarize(category: string, markets: readonly PredictionMarket[]): CategorySummary {
  // A day and a week are compared over the same markets: those that have both.
  const both = markets.filter(
    ({ volume24hUsd, volume1wkUsd }) => shownUsd(volume24hUsd) !== null && shownUsd(volume1wkUsd) !== null,
  )
  return {
    category,
    markets: markets.length,
    volume_24h_usd: sumOf(markets, 'volume24hUsd'),
    liquidity_usd: sumOf(markets, 'liquidityUsd'),
    unknown_volume: markets.filter(({ volume24hUsd }) => shownUsd(volume24hUsd) === null).length,
    volume_trend: toTrend(sumOf(both, 'volume24hUsd'), sumOf(both, 'volume1wkUsd')),
  }
}

export function toTrend(dayUsd: number | undefined, weekUsd: number | undefined): z.input<typeof Trend> {
  const found = volumeTrend(dayUsd, weekUsd)
  return found ? { ratio: roundMicro(found.ratio), trend: found.trend } : null
}

const CENTS = 100
/** In cents, so that the order of the list does not change the last digit. */
function sumOf(
  markets: readonly PredictionMarket[],
  of: 'volume24hUsd' | 'volume1wkUsd' | 'liquidityUsd',
): number {
  const cents = markets.reduce((sum, market) => sum + Math.round((shownUsd(market[of]) ?? 0) * CENTS), 0)
  return cents / CENTS
}
