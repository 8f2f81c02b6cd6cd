import type { PaymentRow } from '../../ledger/ports/payment-book.ts'
import type { Payment } from './payment.ts'
import type { RefusalReason } from './refusal.ts'

/** What a facilitator said. A yes and a no are both only hints; the chain decides. */
export type VerifyAnswer =
  | { kind: 'valid' }
  /** `isUnused`: our own node has just shown that nobody has submitted it. */
  | { kind: 'invalid'; reason: RefusalReason; isUnused?: boolean }
  /** It says the authorization was used before: perhaps for this purchase, if somebody else submitted it first. */
  | { kind: 'used' }
  /** The payment is good, and nobody can pay us on its network now: why, in words for everybody. */
  | { kind: 'closed'; why: string }
  /** No facilitator could be asked. */
  | { kind: 'unavailable' }

export type SettleAnswer =
  | { kind: 'accepted'; transaction: string | undefined; facilitator: string }
  /** Certainly not executed by any facilitator that was asked. */
  | { kind: 'refused'; reason: string; facilitator: string | undefined }
  /** It may have been executed: only the chain knows. It may have named the transaction all the same. */
  | {
      kind: 'unknown'
      transaction?: string | undefined
      facilitator: string
      /** It says that it moved nothing; most often that is true. */
      isFailed?: boolean
    }

export type Facilitators = {
  /** Throws 503 with a time to retry where all are busy. Who is known to have bought lately goes before strangers. */
  verify(payment: Payment, isKnown?: boolean): Promise<VerifyAnswer>
  /**
   * Fails over only after a definite refusal, and only where the payment is not bound to one facilitator. `failedAt`: one
   * that said it had moved nothing; others are asked before it.
   */
  settle(payment: Payment, failedAt?: string): Promise<SettleAnswer>
  /** Whether the chain showed in time what a facilitator says it has settled; `isNamed`: in the transaction that it named. */
  noteLanding?(payment: Payment, facilitator: string, isLanded: boolean, isNamed?: boolean): void
  /** Throws 503 where none of them can settle it now: then nothing may be taken. */
  ready(payment: Payment): Promise<void>
}

/** What became of one authorization on the chain. */
export type ChainOutcome =
  | { kind: 'paid'; transaction: string }
  /** It does not count so far, and still could. `isSeen`: it was used, in a block too young for its price or payer. */
  | { kind: 'open'; isSeen?: true }
  /** Not used, and by the chain's own time it never can be. `isAbsent`: because no node shows it, which is no proof. */
  | { kind: 'dead'; isAbsent?: boolean }

/** The referee: the only one who decides whether a payment was made. Throws when it cannot be asked. */
export type Chain = {
  /** Throws where the chain of a network cannot be asked: then nothing may be charged there. An answer within `ms` will do. */
  ready(network: string, ms: number): Promise<void>
  /**
   * `hint` is a transaction that a facilitator named: it makes the look-up faster and is never believed. So does
   * `claimedAtMs`, when the payment first came: the search begins there.
   */
  outcome(payment: Payment, hint: string | undefined, claimedAtMs?: number): Promise<ChainOutcome>
}

/** Makes the signed proof that goes with a delivered reply. */
export type Receipts = { sign(row: PaymentRow, transaction: string, nowMs: number): Promise<string> }

export type Random = { id(): string }
