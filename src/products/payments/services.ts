import type { PaymentTerms } from '../../catalog/payment-terms.ts'
import type { Mode } from '../../config/variables/variable.ts'
import type { Usd } from '../../core/money.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { PaymentState } from '../../ledger/ports/payment-book.ts'
import type { PaymentTotals, SalesOverview } from '../../ledger/ports/payment-book-queries.ts'
import type { UsageSum } from '../../ledger/ports/usage-log.ts'
import type { KeyLeaf } from '../../record/log/leaf.ts'

export type PaymentServices = {
  clock: Clock
  payments: PaymentDesk
  /** Play money is told from real money in every sum. */
  mode: Mode
  sourceOf(source: string): string
}

/** What handlers may know about money. Sums leave the operator's own wallets out unless they say otherwise. */
export type PaymentDesk = {
  accepts: PaymentTerms['accepts']
  /** Public name of the key that signs offers and receipts. */
  receiptKeyId: string
  /** Changes of that key, oldest first. */
  keyChanges: readonly KeyLeaf[]
  shop: Shop
  facilitators(): readonly FacilitatorState[]
  overview(): Promise<SalesOverview>
  sales(period: Period): Promise<PaymentTotals & { fromMs: number }>
  /** Calls of the last `USAGE_DAYS` UTC days, today among them. */
  usage(): Promise<readonly UsageSum[]>
  refused(): RefusedReport
  findPurchase(id: string): Promise<PurchaseRecord | undefined>
  /** Trades a transfer on chain for the data of one product; throws a `ServiceError` where it does not pay for it. */
  claimTransfer(claim: TransferClaim): Promise<{ text: string }>
}

/** Payments that were answered with 402 since the process started, by reason, most often first. */
export type RefusedReport = {
  sinceMs: number
  reasons: readonly { reason: string; meaning: string; count: number; lastMs: number }[]
}

export const PERIODS = ['24h', '7d', '30d', 'all'] as const
export type Period = (typeof PERIODS)[number]
export const USAGE_DAYS = 30
/** What a transfer that is traded for data must bring at least, and what that data may cost at most. */
export const TRANSFER_PRICE = 100_000n as Usd

export type Shop = { products: number; addresses: number; cheapest: Usd; dearest: Usd }

type StepState = 'closed' | 'open' | 'half_open'
export type FacilitatorState = {
  name: string
  networks: readonly { network: string; verify: StepState; settle: StepState }[]
  latencyMs: number | undefined
  lastFault: string | undefined
  lastFaultAtMs: number | undefined
}

export type PurchaseRecord = {
  id: string
  state: PaymentState
  productId: string
  request: string
  payer: string
  network: string
  asset: string
  amount: string
  payTo: string
  transaction: string | undefined
  claimedAtMs: number
  settledAtMs: number | undefined
  receipt: string | undefined
  contentDigest: string | undefined
}

export type TransferClaim = {
  txHash: string
  endpoint: string
  wallet: string
  signature: string
  /** Who asks: an IPv4 address or an IPv6 /64. */
  client: string
}
