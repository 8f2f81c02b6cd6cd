import type { Usd } from '../../core/money.ts'
import type { Claim, PaymentBook, PaymentRow, StoredReply } from './payment-book.ts'

export type Sum = { count: number; revenue: Usd }
export type PayerSum = Sum & { payer: string; firstMs: number; lastMs: number }

/** Sums over settled rows, by the time they were settled. Days are UTC day numbers since the epoch. */
export type PaymentTotals = Sum & {
  perProduct: readonly (Sum & { productId: string })[]
  perNetwork: readonly (Sum & { network: string })[]
  perDay: readonly (Sum & { day: number })[]
  /** How many wallets paid; `perPayer` lists the first `PAYERS_LISTED` of them by revenue. */
  payers: number
  perPayer: readonly PayerSum[]
}
export type TotalsQuery = {
  sinceMs?: number | undefined
  /** Wallets left out, the operator's own for example; upper and lower case are the same wallet. */
  exceptPayers: readonly string[]
}

/** The whole ledger at a glance. Sums leave out the wallets that are left out, which have their own. */
export type SalesOverview = {
  customers: Sum
  payers: number
  perNetwork: readonly (Sum & { network: string })[]
  /** The wallets that are left out: with `customers` they are the whole ledger. */
  own: Sum
  lastSettledMs: number | undefined
  /** Sent and not yet decided by the chain. */
  unsettled: { count: number; oldestMs: number | undefined }
}

/** What a buyer is told of a purchase in a list. Without the reply, which would be most of what is read. */
export type Purchased = Pick<
  PaymentRow,
  'id' | 'productId' | 'request' | 'network' | 'asset' | 'amount' | 'transaction'
> & { settledAtMs: number; hasReply: boolean }

export type Page = { limit: number; offset: number }

export const PAYERS_LISTED = 1_000

/** None takes longer because more was sold: sums are kept, and what is listed has a limit. */
export type PaymentBookQueries = {
  overview(exceptPayers: readonly string[]): Promise<SalesOverview>
  /** Other work goes on while it is read. */
  totals(query: TotalsQuery): Promise<PaymentTotals>
  /**
   * Every row settled by this transaction, oldest first. One transaction can carry several payments. Case is ignored:
   * a hash written in capitals must not look like one that was never used.
   */
  findByTransaction(network: string, transaction: string): Promise<readonly PaymentRow[]>
  /** Settled rows of one payer, newest first, and what all of them cost. `payer` is written as in the rows. */
  purchasesOf(payer: string, page: Page): Promise<Sum & { rows: readonly Purchased[] }>
  /** The signed receipt of a purchase; it outlives the stored reply. */
  findReceipt(id: string): Promise<string | undefined>
  /** Deletes replies of rows settled before `beforeMs`, and of void rows claimed before it. Returns how many. */
  purgeReplies(beforeMs: number): Promise<number>
}

/** `revived`: it was declared void, then the money moved after all. The only backward transition, so it is logged. */
export type SettledRow = PaymentRow & { revived: boolean }
export type Outcome = Parameters<PaymentBook['settle']>[1]

/** What a store offers: the gate's port plus queries. */
export type PaymentLedger = Omit<PaymentBook, 'settle'> &
  PaymentBookQueries & {
    settle(key: string, outcome: Outcome, known?: PaymentRow): Promise<SettledRow | undefined>
    /**
     * claim and prepare in one step, for a claim held in memory: inserts a row that is already settling. Returns false
     * and writes nothing when the key or the identifier is taken.
     */
    enter(claim: Claim, reply: StoredReply): Promise<boolean>
  }
