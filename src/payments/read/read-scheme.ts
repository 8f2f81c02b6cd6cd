import type { Requirement } from '../../catalog/payment-terms.ts'
import type { Payment } from '../gate/payment.ts'
import type { RefusalReason } from '../gate/refusal.ts'

/** What one family of chains makes of a payload: a payment with a name, or the reason why it has none. */
export type ReadScheme = (
  payload: Record<string, unknown>,
  requirement: Requirement,
  /** Found before; the rest is not asked then, and the payment only gets its name. */
  termsProblem: RefusalReason | undefined,
) => Promise<NamedPayment | RefusalReason>

export type NamedPayment = Pick<Payment, 'key' | 'payer' | 'validBeforeMs' | 'digest'> & {
  payload: Record<string, unknown>
  problem: RefusalReason | undefined
}
