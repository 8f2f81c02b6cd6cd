import type { z } from 'zod'
import { DAY_MS } from '../../core/time/time.ts'
import {
  type ScoreComponent,
  TOKEN_SOURCES,
  type TokenAnalysis,
  type Told,
} from '../../intel/tokens/token-analysis.ts'
import { isoTime } from '../fields.ts'
import { methodLink } from '../method-link.ts'
import { type PartFields, toPartFields } from '../part-fields.ts'
import type {
  ComponentFields,
  HolderFields,
  HoneypotFields,
  Identity,
  MarketFields,
  PowerFields,
  RiskFields,
  ScoreFields,
  TaxFields,
} from './fields.ts'
import { shownDollars, shownPercent, shownPrice, shownShare } from './numbers.ts'

type SourceOf = (source: string) => string

export function toIdentity({ address, identity }: TokenAnalysis): z.input<typeof Identity> {
  const { name, symbol, isWithheld } = identity
  return { token: address, name: name ?? null, symbol: symbol ?? null, name_withheld: isWithheld }
}

export function toMarket({ market }: TokenAnalysis): z.input<typeof MarketFields> {
  const { change, createdMs, ageMs } = market
  return {
    price_usd: shownPrice(market.priceUsd),
    change_percent: {
      '5m': shownPercent(change.m5),
      '1h': shownPercent(change.h1),
      '6h': shownPercent(change.h6),
      '24h': shownPercent(change.h24),
    },
    volume_24h_usd: shownDollars(market.volumeUsd24h),
    buys_24h: whole(market.buys24h),
    sells_24h: whole(market.sells24h),
    liquidity_usd: shownDollars(market.liquidityUsd),
    pools: market.pools,
    market_cap_usd: shownDollars(market.marketCapUsd),
    fdv_usd: shownDollars(market.fdvUsd),
    created_at: createdMs === undefined ? null : isoTime(createdMs),
    age_days: ageMs === undefined ? null : shownPercent(ageMs / DAY_MS),
  }
}

export function toHolders({ holders }: TokenAnalysis, sourceOf: SourceOf): z.input<typeof HolderFields> {
  const { count, top10Share, largest, creatorShare, lockedLiquidityShare } = holders
  return {
    count: whole(count?.value),
    count_source: count ? sourceOf(count.source) : null,
    top10_share: shownShare(top10Share?.value),
    top10_source: top10Share ? sourceOf(top10Share.source) : null,
    largest_holder: largest
      ? { address: largest.value.address ?? null, share: shownShare(largest.value.share) ?? 0 }
      : null,
    creator_share: shownShare(creatorShare?.value),
    locked_liquidity_share: shownShare(lockedLiquidityShare?.value),
  }
}

export function toTaxes({ taxes }: TokenAnalysis, sourceOf: SourceOf): z.input<typeof TaxFields> {
  const shown = (tax: Told<number> | undefined) =>
    tax ? { share: shownShare(tax.value) ?? 0, source: sourceOf(tax.source) } : null
  return { buy: shown(taxes.buy), sell: shown(taxes.sell), transfer: shown(taxes.transfer) }
}

export function toPowers({ powers }: TokenAnalysis): z.input<typeof PowerFields> {
  const owner = powers.owner?.value
  return {
    owner: owner === undefined ? null : owner === 'renounced' ? owner : owner.address,
    can_mint: powers.canMint?.value ?? null,
    is_proxy: powers.isProxy?.value ?? null,
    has_hidden_owner: powers.hasHiddenOwner?.value ?? null,
    can_take_back_ownership: powers.canTakeBackOwnership?.value ?? null,
    can_pause_transfers: powers.canPauseTransfers?.value ?? null,
    can_blacklist: powers.canBlacklist?.value ?? null,
    can_change_balances: powers.canChangeBalances?.value ?? null,
    can_change_tax: powers.canChangeTax?.value ?? null,
    is_closed_source: powers.isClosedSource?.value ?? null,
    limits_sales: powers.limitsSales?.value ?? null,
    can_self_destruct: powers.canSelfDestruct?.value ?? null,
    is_trusted: powers.isTrusted,
  }
}

export function toHoneypot({ honeypot }: TokenAnalysis, sourceOf: SourceOf): z.input<typeof HoneypotFields> {
  return {
    verdict: honeypot.verdict,
    by: honeypot.by.map(sourceOf),
    is_disputed: honeypot.isDisputed,
    told: honeypot.told.map(({ source, verdict, reason }) => ({
      source: sourceOf(source),
      verdict,
      reason: reason ?? null,
    })),
  }
}

export function toRisk({ risk }: TokenAnalysis, sourceOf: SourceOf): z.input<typeof RiskFields> {
  return {
    rating: risk.rating,
    reasons: risk.reasons.map((reason) => ({ ...reason, source: sourceOf(reason.source) })),
    method: methodLink('tokens', 'risk-rating'),
  }
}

export function toScore({ score }: TokenAnalysis): z.input<typeof ScoreFields> {
  const { value, sum, cap, confidence, components } = score
  return {
    value,
    sum,
    cap,
    confidence,
    components: toComponents(components),
    method: methodLink('tokens', 'score'),
  }
}

export const toComponents = (components: readonly ScoreComponent[]): z.input<typeof ComponentFields>[] =>
  components.map((one) => ({ ...one, value: shownShare(one.value) }))

export function toParts({ parts }: TokenAnalysis, sourceOf: SourceOf): z.input<typeof PartFields>[] {
  return TOKEN_SOURCES.map((source) => toPartFields(parts[source], sourceOf))
}

/** Those that said something. */
export function toSource({ parts }: TokenAnalysis, sourceOf: SourceOf): string {
  return sourceOf(TOKEN_SOURCES.filter((source) => parts[source].status !== 'missing').join('+'))
}

const whole = (value: number | undefined): number | null => (value === undefined ? null : Math.round(value))
