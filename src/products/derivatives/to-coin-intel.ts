import type { z } from 'zod'
import type { Coin } from '../../core/coin.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { cascadePart } from '../../intel/derivatives/cascade-part.ts'
import { DERIVATIVES_VENUES, type DerivativesVenue } from '../../intel/derivatives/derivatives.ts'
import type { FundingDivergence } from '../../intel/derivatives/funding-divergence.ts'
import { methodLink } from '../method-link.ts'
import { toPartFields } from '../part-fields.ts'
import { shownTime, shownUsd } from '../prediction-markets/shown-number.ts'
import { toCascadeFields } from './cascade-fields.ts'
import type { CoinIntel } from './coin-fields.ts'
import { annualPercent, fundingPercent, shownFunding } from './funding-percent.ts'
import type { DerivativesServices } from './services.ts'
import { roundDigits, shownDigits } from './shown-digits.ts'

type Shown = z.input<typeof CoinIntel>

export function toCoinIntel(services: DerivativesServices, coin: Coin): Shown {
  const { derivatives } = services
  const found = derivatives.overview(coin)
  return {
    coin,
    open_interest_usd: shownUsd(found.openInterestUsd),
    open_interest_change_24h_percent: shownPercent(found.openInterestChange24h),
    volume_24h_usd: shownUsd(found.volume24hUsd),
    funding_rate_8h_percent: shownFunding(found.funding8h),
    funding_rate_annual_percent: annualPercent(found.funding8h),
    venues: DERIVATIVES_VENUES.map((venue) => toVenueRow(services, venue, coin)),
    funding_divergence: found.divergence ? toDivergence(found.divergence) : null,
    liquidations_1h: toLiquidated(services, coin, 'hour'),
    liquidations_24h: toLiquidated(services, coin, 'day'),
    cascade_risk: toCascadeFields(cascadePart(derivatives, coin), services.sourceOf),
  }
}

function toVenueRow({ derivatives, sourceOf }: DerivativesServices, venue: DerivativesVenue, coin: Coin) {
  const part = derivatives.perpetual(venue, coin)
  const { value } = part
  return {
    venue,
    funding_rate_8h_percent: shownFunding(value?.funding8h),
    funding_interval_hours: value?.intervalHours ?? null,
    next_funding_at: shownTime(value?.nextFundingMs),
    mark_price_usd: value?.markPrice ?? null,
    open_interest_usd: shownUsd(value?.openInterestUsd),
    open_interest_change_24h_percent: shownPercent(value?.openInterestChange24h),
    volume_24h_usd: shownUsd(value?.volume24hUsd),
    ...toPartFields(part, sourceOf),
  }
}

function toDivergence(found: FundingDivergence): NonNullable<Shown['funding_divergence']> {
  return {
    mean_rate_8h_percent: fundingPercent(found.mean8h),
    spread_8h_percent: fundingPercent(found.spread8h),
    highest: found.highest.venue,
    lowest: found.lowest.venue,
    deviations: found.deviations.map(({ venue, deviation8h }) => ({
      venue,
      deviation_8h_percent: fundingPercent(deviation8h),
    })),
    score: shownDigits(found.score, 2),
    past_median_8h_percent: shownFunding(found.past?.median),
    past_mad_8h_percent: shownFunding(found.past?.mad),
    past_spans: found.pastSpans,
    level: found.level,
    method: methodLink('derivatives', 'funding-divergence'),
  }
}

function toLiquidated({ derivatives, sourceOf }: DerivativesServices, coin: Coin, span: 'hour' | 'day') {
  const part = derivatives.liquidationTotals(coin, span)
  const { value } = part
  return {
    span_minutes: value ? Math.floor(value.spanMs / MINUTE_MS) : null,
    long_usd: shownUsd(value?.longUsd),
    short_usd: shownUsd(value?.shortUsd),
    count: value?.count ?? null,
    coverage: value
      ? {
          binance: roundDigits(value.coverage.binance, 3),
          bybit: roundDigits(value.coverage.bybit, 3),
          okx: roundDigits(value.coverage.okx, 3),
        }
      : null,
    ...toPartFields(part, sourceOf),
  }
}

const shownPercent = (share: number | undefined): number | null =>
  share === undefined ? null : roundDigits(share * 100, 3)
