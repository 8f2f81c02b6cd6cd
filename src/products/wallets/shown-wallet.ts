import type { z } from 'zod'
import { DAY_MS } from '../../core/time/time.ts'
import { amountText } from '../../intel/wallets/amount-text.ts'
import { WALLET_PARTS, type WalletAnalysis } from '../../intel/wallets/wallet-analysis.ts'
import { isoTime } from '../fields.ts'
import { methodLink } from '../method-link.ts'
import { toPartFields } from '../part-fields.ts'
import { shownDollars, shownPercent, shownPrice, shownShare } from '../tokens/numbers.ts'
import { toComponents } from '../tokens/shown-analysis.ts'
import type {
  ActivityFields,
  ConcentrationFields,
  EtherFields,
  HoldingFields,
  TotalFields,
  WalletIdentity,
  WalletPartsFields,
  WalletRiskFields,
  WalletScoreFields,
} from './fields.ts'

type SourceOf = (source: string) => string

const MAX_HOLDINGS_SHOWN = 50
const MAX_RECENT_SHOWN = 10
const ETHER_DECIMALS = 18

export function toIdentity({
  address,
  kind,
  delegate,
  label,
}: WalletAnalysis): z.input<typeof WalletIdentity> {
  return { wallet: address, kind, delegate: delegate ?? null, label: label ?? null }
}

export function toTotals({ wealth }: WalletAnalysis): z.input<typeof TotalFields> {
  const valued = wealth.holdings.filter(({ valueUsd }) => (valueUsd ?? 0) > 0).length
  return {
    total_usd: shownDollars(wealth.totalUsd),
    ether_usd: shownDollars(wealth.etherUsd),
    tokens_usd: shownDollars(wealth.tokensUsd) ?? 0,
    valued,
    not_valued: wealth.holdings.length - valued,
  }
}

export function toEther({ wealth }: WalletAnalysis): z.input<typeof EtherFields> {
  const { wei, etherPriceUsd, etherUsd } = wealth
  return {
    amount: wei === undefined ? null : (amountText(wei, ETHER_DECIMALS) ?? null),
    wei: wei?.toString() ?? null,
    price_usd: shownPrice(etherPriceUsd),
    value_usd: shownDollars(etherUsd),
  }
}

export function toHoldings({ wealth }: WalletAnalysis): {
  holdings: z.input<typeof HoldingFields>[]
  holdings_count: number
  holdings_left_out: number
  holdings_complete: boolean
} {
  const { holdings, totalUsd, isComplete } = wealth
  return {
    holdings: holdings.slice(0, MAX_HOLDINGS_SHOWN).map((each) => ({
      token: each.token,
      symbol: each.symbol ?? null,
      name: each.name ?? null,
      amount: amountText(each.units, each.decimals) ?? null,
      units: each.units.toString(),
      price_usd: shownPrice(each.priceUsd),
      value_usd: shownDollars(each.valueUsd),
      share: each.valueUsd === undefined || !totalUsd ? null : shownShare(each.valueUsd / totalUsd),
      valuation: each.valuation,
      scam_reason: each.scamReason ?? null,
    })),
    holdings_count: holdings.length,
    holdings_left_out: Math.max(0, holdings.length - MAX_HOLDINGS_SHOWN),
    holdings_complete: isComplete,
  }
}

export function toActivity({ activity }: WalletAnalysis): z.input<typeof ActivityFields> {
  const { recent, ageMs } = activity
  return {
    first_seen: timeOf(activity.firstSeenMs),
    age_days: ageMs === undefined ? null : shownPercent(ageMs / DAY_MS),
    last_active: timeOf(activity.lastActiveMs),
    transactions_sent: activity.sent ?? null,
    recent: recent.slice(0, MAX_RECENT_SHOWN).map((each) => ({
      hash: each.hash,
      at: isoTime(each.atMs),
      direction: each.direction,
      counterparty: each.counterparty,
      token: each.token,
      symbol: each.symbol ?? null,
      amount: amountText(each.units, each.decimals) ?? null,
      value_usd: shownDollars(each.usd),
    })),
    recent_left_out: Math.max(0, recent.length - MAX_RECENT_SHOWN),
  }
}

export function toConcentration({ wealth }: WalletAnalysis): z.input<typeof ConcentrationFields> {
  const { concentration } = wealth
  if (!concentration) return null
  return {
    largest_asset: concentration.largest,
    largest_share: shownShare(concentration.largestShare) ?? 0,
    herfindahl: shownShare(concentration.herfindahl) ?? 0,
  }
}

export function toScore({ score }: WalletAnalysis): z.input<typeof WalletScoreFields> {
  const { value, sum, cap, confidence, components } = score
  return {
    ...{ value, sum, cap, confidence },
    components: toComponents(components),
    method: methodLink('wallets', 'score'),
  }
}

export function toRisk({ risk }: WalletAnalysis): z.input<typeof WalletRiskFields> {
  const reasons = risk.reasons.map((reason) => ({ ...reason }))
  return { rating: risk.rating, reasons, method: methodLink('wallets', 'risk-rating') }
}

export function toParts({ parts }: WalletAnalysis, sourceOf: SourceOf): z.input<typeof WalletPartsFields> {
  return Object.fromEntries(
    WALLET_PARTS.map((name) => [name, toPartFields(parts[name], sourceOf)]),
  ) as z.input<typeof WalletPartsFields>
}

/** Those that said something. */
export function toSource({ parts }: WalletAnalysis, sourceOf: SourceOf): string {
  const told = WALLET_PARTS.filter((name) => parts[name].status !== 'missing')
  return sourceOf([...new Set(told.flatMap((name) => parts[name].source.split('+')))].join('+'))
}

export const timeOf = (ms: number | undefined): string | null => (ms === undefined ? null : isoTime(ms))
