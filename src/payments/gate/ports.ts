import type { PaymentRow } from '../../ledger/ports/payment-book.ts'
import type { Payment } from './payment.ts'
import type { RefusalReason } from './refusal.ts'

/** What a facilitator said. It is a hint in both directions; only the chain decides. */
export type VerifyAnswer =
  | { kind: 'valid' }
  | { kind: 'invalid'; reason: RefusalReason }
  /** It says the authorization was used before: perhaps for this very purchase, by somebody who submitted it first. */
  | { kind: 'used' }
  /** Nobody could be asked. */
  | { kind: 'unavailable' }

export type SettleAnswer =
  | { kind: 'accepted'; transaction: string | undefined; facilitator: string }
  /** Definitely not executed by anyone asked. */
  | { kind: 'refused'; reason: string; facilitator: string | undefined }
  /** It may have been executed: only the chain can tell. */
  | { kind: 'unknown'; facilitator: string }

export type Facilitators = {
  verify(payment: Payment): Promise<VerifyAnswer>
  /** Fails over on a definite refusal only, and only where the payment is not bound to one facilitator. */
  settle(payment: Payment): Promise<SettleAnswer>
}

/** What the chain knows of one authorization. */
export type ChainOutcome =
  | { kind: 'paid'; transaction: string }
  /** Not used so far, and it still could be. */
  | { kind: 'open' }
  /** Not used, and by the chain's own time it never can be. */
  | { kind: 'dead' }

/** The referee. It throws when it cannot be asked: that is not an answer. */
export type Chain = {
  /** `hint` is a transaction that a facilitator named: a faster way to the same answer, never the answer. */
  outcome(payment: Payment, hint: string | undefined): Promise<ChainOutcome>
}

/** Makes the signed proof that goes with a delivered reply. */
export type Receipts = { sign(row: PaymentRow, transaction: string, nowMs: number): Promise<string> }

export type Random = { id(): string }
