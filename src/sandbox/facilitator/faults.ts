import { z } from 'zod'

/** What can go wrong between us and a facilitator, as the caller sees it. Done means that the payment was verified or settled. */
export type Fault =
  /** Done in time, answered late. */
  | { kind: 'slow_reply'; ms: number }
  /** Done and answered late. */
  | { kind: 'slow_work'; ms: number }
  /** The connection closes before or after the work is done. */
  | { kind: 'drop_request' }
  | { kind: 'drop_reply' }
  /** A 500 before or after the work is done. */
  | { kind: 'fail_before' }
  | { kind: 'fail_after' }
  /** Done, and the 200 carries no JSON. */
  | { kind: 'garbage' }
  /** Reports success, nothing is done. */
  | { kind: 'lie_success' }
  /** Reports failure, all is done. */
  | { kind: 'lie_failure' }

export type FacilitatorCall = { path: string; body: string }
export type Tamper = (call: FacilitatorCall) => Fault | undefined

const Lied = z.object({
  paymentRequirements: z.object({ network: z.string() }),
  paymentPayload: z.object({
    payload: z.looseObject({ authorization: z.object({ from: z.string() }).optional() }),
  }),
})
/** A transaction that nobody ever sent. */
const NO_TRANSACTION = `0x${'de'.repeat(32)}`

/** The false answer, in the shape that the caller expects. */
export function lie({ path, body }: FacilitatorCall, kind: 'lie_success' | 'lie_failure'): object {
  const { paymentRequirements, paymentPayload } = Lied.parse(JSON.parse(body))
  const payer = paymentPayload.payload.authorization?.from
  const { network } = paymentRequirements
  if (path === '/verify') {
    return kind === 'lie_success'
      ? { isValid: true, payer }
      : { isValid: false, invalidReason: 'invalid_payload', payer }
  }
  return kind === 'lie_success'
    ? { success: true, transaction: NO_TRANSACTION, network, payer }
    : { success: false, errorReason: 'unexpected_settle_error', transaction: '', network, payer }
}
