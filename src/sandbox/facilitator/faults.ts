import { z } from 'zod'

/** What can go wrong between us and a facilitator. Named by what the caller meets. */
export type Fault =
  /** Late; the work itself is done in time. */
  | { kind: 'slow_reply'; ms: number }
  /** Late; nothing is done until then. */
  | { kind: 'slow_work'; ms: number }
  /** The connection ends: before anything was done, or after all was done. */
  | { kind: 'drop_request' }
  | { kind: 'drop_reply' }
  /** A 500: before anything was done, or after all was done. */
  | { kind: 'fail_before' }
  | { kind: 'fail_after' }
  /** All is done, and the 200 is no JSON. */
  | { kind: 'garbage' }
  /** Says yes and has done nothing. */
  | { kind: 'lie_success' }
  /** Says no and has done all. */
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

/** The lie in the form of the answer that the caller waits for. */
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
