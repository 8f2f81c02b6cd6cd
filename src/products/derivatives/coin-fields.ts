import { z } from 'zod'
import { COINS } from '../../core/coin.ts'
import { DERIVATIVES_VENUES } from '../../intel/derivatives/derivatives.ts'
import { Method } from '../method-link.ts'
import { PartFields } from '../part-fields.ts'
import { CascadeFields } from './cascade-fields.ts'
import { AnnualPercent, FundingPercent } from './funding-percent.ts'

const Venue = z.enum(DERIVATIVES_VENUES)
const maybeUsd = () => z.number().min(0).nullable()
const Percent = z.number().nullable()

const VenueRow = z.object({
  venue: Venue,
  funding_rate_8h_percent: FundingPercent.nullable(),
  funding_interval_hours: z.number().nullable(),
  next_funding_at: z.iso.datetime().nullable(),
  mark_price_usd: z.number().positive().nullable(),
  open_interest_usd: maybeUsd().describe('One side only'),
  open_interest_change_24h_percent: Percent.describe('In coins, so that a move of the price does not count'),
  volume_24h_usd: maybeUsd(),
  ...PartFields.shape,
})

const Divergence = z.object({
  mean_rate_8h_percent: FundingPercent.describe('Weighted by open interest, no venue with more than half'),
  spread_8h_percent: z.number().min(0).describe('Between the highest and the lowest venue'),
  highest: Venue,
  lowest: Venue,
  deviations: z
    .array(z.object({ venue: Venue, deviation_8h_percent: z.number() }))
    .describe('Each venue against the mean of the others'),
  score: z.number().nullable().describe('Robust z-score of the spread against the settled spreads of a week'),
  past_median_8h_percent: z
    .number()
    .min(0)
    .nullable()
    .describe('Median of those spreads; null without a score'),
  past_mad_8h_percent: z.number().min(0).nullable().describe('Their median absolute deviation from it'),
  past_spans: z.int().min(0).describe('Spans of eight hours that it is compared with'),
  level: z.enum(['normal', 'elevated', 'extreme', 'unknown']),
  method: Method,
})

const Liquidated = z.object({
  span_minutes: z
    .int()
    .min(0)
    .nullable()
    .describe('As long as named, or less after a start; the sums are null below half of it'),
  long_usd: maybeUsd().describe('Longs that were closed by force'),
  short_usd: maybeUsd(),
  count: z.int().min(0).nullable(),
  coverage: z
    .object({
      binance: z.number().min(0).max(1),
      bybit: z.number().min(0).max(1),
      okx: z.number().min(0).max(1),
    })
    .nullable()
    .describe('Share of the span in which each venue was listened to'),
  ...PartFields.shape,
})

export const CoinIntel = z.object({
  coin: z.enum(COINS),
  open_interest_usd: maybeUsd(),
  open_interest_change_24h_percent: Percent,
  volume_24h_usd: maybeUsd(),
  funding_rate_8h_percent: FundingPercent.nullable().describe(
    'Weighted by open interest, no venue with more than half; positive: longs pay shorts',
  ),
  funding_rate_annual_percent: AnnualPercent,
  venues: z.array(VenueRow),
  funding_divergence: Divergence.nullable(),
  liquidations_1h: Liquidated,
  liquidations_24h: Liquidated,
  cascade_risk: CascadeFields,
})
