import { z } from 'zod'
import type { Coin } from '../../core/coin.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { REGIMES } from '../../signals/signal.ts'
import { CascadeFields } from '../derivatives/cascade-fields.ts'
import { AnnualPercent, annualPercent, FundingPercent, shownFunding } from '../derivatives/funding-percent.ts'
import { PartFields, toPartFields } from '../part-fields.ts'
import type { SentimentServices } from './services.ts'

const Usd = z.number().min(0).nullable()

const FundingFields = z.object({
  funding_rate_8h_percent: FundingPercent.nullable().describe(
    'What longs pay shorts for eight hours, mean of the venues by open interest',
  ),
  funding_rate_annual_percent: AnnualPercent,
  open_interest_usd: Usd.describe('One side, all venues that are known'),
  venues: z.array(z.string()),
  ...PartFields.shape,
})
const LiquidationFields = z.object({
  long_usd: Usd.describe('Longs that were closed by force'),
  short_usd: Usd,
  count: z.int().min(0).nullable(),
  span_minutes: z
    .int()
    .min(0)
    .nullable()
    .describe('60, or less after a start: the sums are of so long only, and null below half of it'),
  ...PartFields.shape,
})
export const RegimeFields = z.object({
  name: z.enum(REGIMES).nullable().describe('What kind of market the last hour was; the list may grow'),
  ...PartFields.shape,
})

/** What the futures of a coin say, and the regime of its price. */
export const DerivativesFields = z.object({
  funding: FundingFields,
  liquidations_1h: LiquidationFields,
  cascade_risk: CascadeFields,
  regime: RegimeFields,
})

export function toFundingFields(
  coin: Coin,
  { sentiment, sourceOf }: SentimentServices,
): z.input<typeof FundingFields> {
  const part = sentiment.funding(coin)
  return {
    funding_rate_8h_percent: shownFunding(part.value?.funding8h),
    funding_rate_annual_percent: annualPercent(part.value?.funding8h),
    open_interest_usd: part.value ? Math.round(part.value.openInterestUsd) : null,
    venues: [...(part.value?.venues ?? [])],
    ...toPartFields(part, sourceOf),
  }
}

export function toLiquidationFields(
  coin: Coin,
  { derivatives, sourceOf }: SentimentServices,
): z.input<typeof LiquidationFields> {
  const part = derivatives.liquidations(coin)
  return {
    span_minutes: part.value ? Math.floor(part.value.spanMs / MINUTE_MS) : null,
    long_usd: part.value ? Math.round(part.value.longUsd) : null,
    short_usd: part.value ? Math.round(part.value.shortUsd) : null,
    count: part.value?.count ?? null,
    ...toPartFields(part, sourceOf),
  }
}

export function toRegimeFields(
  coin: Coin,
  { sentiment, sourceOf }: SentimentServices,
): z.input<typeof RegimeFields> {
  const part = sentiment.regime(coin)
  return { name: part.value ?? null, ...toPartFields(part, sourceOf) }
}
