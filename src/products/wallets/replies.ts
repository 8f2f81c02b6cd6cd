import type { Approvals, WalletAnalysis } from '../../intel/wallets/wallet-analysis.ts'
import { toApprovals, toCounterparties, toScamHoldings } from './shown-scan.ts'
import {
  toActivity,
  toConcentration,
  toEther,
  toHoldings,
  toIdentity,
  toParts,
  toRisk,
  toScore,
  toSource,
  toTotals,
} from './shown-wallet.ts'

export const toPortfolio = (analysis: WalletAnalysis, sourceOf: (source: string) => string) => ({
  source: toSource(analysis, sourceOf),
  ...toIdentity(analysis),
  totals: toTotals(analysis),
  ether: toEther(analysis),
  ...toHoldings(analysis),
  activity: toActivity(analysis),
  concentration: toConcentration(analysis),
  score: toScore(analysis),
  risk_rating: analysis.risk.rating,
  parts: toParts(analysis, sourceOf),
})

export const toScan = (
  analysis: WalletAnalysis,
  approvals: Approvals,
  sourceOf: (source: string) => string,
) => ({
  source: toSource(analysis, sourceOf),
  ...toIdentity(analysis),
  risk: toRisk(analysis),
  score: toScore(analysis),
  totals: toTotals(analysis),
  approvals: toApprovals(approvals),
  counterparties: toCounterparties(analysis),
  scam_tokens: toScamHoldings(analysis),
  parts: toParts(analysis, sourceOf),
})
