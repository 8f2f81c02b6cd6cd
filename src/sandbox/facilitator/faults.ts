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
  /** Too many calls: 429 with `Retry-After`, nothing is done. */
  | { kind: 'busy'; retryAfterS: number }
  /** Finds fault with the payment in these words, nothing is done. */
  | { kind: 'refuse'; reason: string }

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
export function lie(call: FacilitatorCall, kind: 'lie_success' | 'lie_failure'): object {
  if (kind === 'lie_failure')
    return refuse(call, call.path === '/verify' ? 'invalid_payload' : 'unexpected_settle_error')
  const { network, payer } = partiesOf(call)
  return call.path === '/verify'
    ? { isValid: true, payer }
    : { success: true, transaction: NO_TRANSACTION, network, payer }
}

/** A no with its reason, in the shape that the caller expects. */
export function refuse(call: FacilitatorCall, reason: string): object {
  const { network, payer } = partiesOf(call)
  return call.path === '/verify'
    ? { isValid: false, invalidReason: reason, payer }
    : { success: false, errorReason: reason, transaction: '', network, payer }
}

function partiesOf({ body }: FacilitatorCall) {
  const { paymentRequirements, paymentPayload } = Lied.parse(JSON.parse(body))
  return { network: paymentRequirements.network, payer: paymentPayload.payload.authorization?.from }
}
