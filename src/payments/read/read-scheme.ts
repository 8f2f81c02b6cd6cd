import type { Requirement } from '../../catalog/payment-terms.ts'
import type { Payment } from '../gate/payment.ts'
import type { RefusalReason } from '../gate/refusal.ts'
import type { Problem } from '../gate/sell.ts'

/** Reads the payload of one family of chains: a payment with its key, or the reason why none can be read. */
export type ReadScheme = (
  payload: Record<string, unknown>,
  requirement: Requirement,
  known: Known,
) => Promise<NamedPayment | RefusalReason>

export type Known = {
  /** A problem found before: then nothing else is checked, and only the key is read. */
  termsProblem: Problem | undefined
  /** Who sent it: what asks the chain is bounded per client. */
  client: string
}

export type NamedPayment = Pick<Payment, 'key' | 'payer' | 'validBeforeMs' | 'digest'> & {
  payload: Record<string, unknown>
  problem: Problem | undefined
}
