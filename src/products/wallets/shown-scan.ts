import type { z } from 'zod'
import { amountText } from '../../intel/wallets/amount-text.ts'
import { isRisky } from '../../intel/wallets/counterparties.ts'
import type { Approvals, WalletAnalysis } from '../../intel/wallets/wallet-analysis.ts'
import { isoTime } from '../fields.ts'
import { shownDollars } from '../tokens/numbers.ts'
import type { ApprovalFields, CounterpartyFields, ScamHoldingFields } from './fields.ts'
import { timeOf } from './shown-wallet.ts'

const MAX_APPROVALS_SHOWN = 25
const MAX_COUNTERPARTIES_SHOWN = 15
const MAX_SCAMS_SHOWN = 25

export function toApprovals({ open, atRiskUsd, isComplete }: Approvals): z.input<typeof ApprovalFields> {
  return {
    count: open.length,
    unlimited: open.filter(({ isUnlimited }) => isUnlimited).length,
    value_at_risk_usd: shownDollars(atRiskUsd) ?? 0,
    is_complete: isComplete,
    open: open.slice(0, MAX_APPROVALS_SHOWN).map((each) => ({
      token: each.token,
      symbol: each.symbol ?? null,
      spender: each.spender,
      spender_kind: each.spenderKind,
      spender_name: each.spenderName ?? null,
      allowance: each.isUnlimited ? null : (amountText(each.allowance, each.decimals) ?? null),
      is_unlimited: each.isUnlimited,
      is_current: each.isCurrent,
      since: timeOf(each.sinceMs),
      is_verified: each.isVerified,
      value_at_risk_usd: shownDollars(each.atRiskUsd),
    })),
    left_out: Math.max(0, open.length - MAX_APPROVALS_SHOWN),
  }
}

/** Null where they could not be looked up. */
export function toCounterparties({
  counterparties,
}: WalletAnalysis): z.input<typeof CounterpartyFields> | null {
  if (!counterparties) return null
  const { all, movements, riskyMovements, sentToRisky, isComplete } = counterparties
  const first = [...all.filter(isRisky), ...all.filter((party) => !isRisky(party))]
  return {
    count: all.length,
    movements,
    risky_movements: riskyMovements,
    sent_to_risky: sentToRisky,
    is_complete: isComplete,
    top: first.slice(0, MAX_COUNTERPARTIES_SHOWN).map((each) => ({
      address: each.address,
      label: each.label ?? null,
      exchange: each.exchange ?? null,
      is_contract: each.isContract ?? null,
      incoming: each.incoming,
      outgoing: each.outgoing,
      unverified: each.unverified,
      in_usd: shownDollars(each.inUsd) ?? 0,
      out_usd: shownDollars(each.outUsd) ?? 0,
      last_at: isoTime(each.lastMs),
      flags: [...each.flags],
    })),
    left_out: Math.max(0, all.length - MAX_COUNTERPARTIES_SHOWN),
  }
}

export function toScamHoldings({ wealth }: WalletAnalysis): z.input<typeof ScamHoldingFields> {
  const scams = wealth.holdings.filter(({ valuation }) => valuation === 'scam')
  return {
    count: scams.length,
    tokens: scams.slice(0, MAX_SCAMS_SHOWN).map(({ token, symbol, name, units, scamReason }) => ({
      token,
      symbol: symbol ?? null,
      name: name ?? null,
      units: units.toString(),
      reason: scamReason ?? 'taken for a scam',
    })),
    left_out: Math.max(0, scams.length - MAX_SCAMS_SHOWN),
  }
}
