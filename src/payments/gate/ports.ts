import type { PaymentRow } from '../../ledger/ports/payment-book.ts'
import type { Payment } from './payment.ts'
import type { RefusalReason } from './refusal.ts'

/** What a facilitator said. A yes and a no are both only hints; the chain decides. */
export type VerifyAnswer =
  | { kind: 'valid' }
  | { kind: 'invalid'; reason: RefusalReason }
  /** It says the authorization was used before: perhaps for this purchase, if somebody else submitted it first. */
  | { kind: 'used' }
  /** No facilitator could be asked. */
  | { kind: 'unavailable' }

export type SettleAnswer =
  | { kind: 'accepted'; transaction: string | undefined; facilitator: string }
  /** Certainly not executed by any facilitator that was asked. */
  | { kind: 'refused'; reason: string; facilitator: string | undefined }
  /** It may have been executed: only the chain knows. */
  | { kind: 'unknown'; facilitator: string }

export type Facilitators = {
  verify(payment: Payment): Promise<VerifyAnswer>
  /** Fails over only after a definite refusal, and only where the payment is not bound to one facilitator. */
  settle(payment: Payment): Promise<SettleAnswer>
}

/** What became of one authorization on the chain. */
export type ChainOutcome =
  | { kind: 'paid'; transaction: string }
  /** Not used so far, and it still could be. */
  | { kind: 'open' }
  /** Not used, and by the chain's own time it never can be. */
  | { kind: 'dead' }

/** The referee: the only one who decides whether a payment was made. Throws when it cannot be asked. */
export type Chain = {
  /** `hint` is a transaction that a facilitator named: it makes the look-up faster and is never believed. */
  outcome(payment: Payment, hint: string | undefined): Promise<ChainOutcome>
}

/** Makes the signed proof that goes with a delivered reply. */
export type Receipts = { sign(row: PaymentRow, transaction: string, nowMs: number): Promise<string> }

export type Random = { id(): string }
