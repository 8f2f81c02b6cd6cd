import type { Requirement } from '../../../catalog/payment-terms.ts'
import type { LoadLimits } from '../load.ts'

/** One x402 facilitator, however it is reached. Its calls return faults instead of throwing. */
export type FacilitatorMember = {
  /** Goes into the ledger, logs and status pages: a host name, never a credential. */
  name: string
  verify(request: FacilitatorRequest, signal: AbortSignal): Promise<MemberReply<VerifyReply>>
  settle(request: FacilitatorRequest, signal: AbortSignal): Promise<MemberReply<SettleReply>>
  supported(signal: AbortSignal): Promise<MemberReply<SupportedReply>>
  /** What it is asked at most; without them nothing is held back. */
  limits?: Readonly<Record<'verify' | 'settle', LoadLimits>>
}

/** Facilitators always get v2, whatever version the buyer spoke. */
export type FacilitatorRequest = {
  x402Version: 2
  paymentPayload: Record<string, unknown>
  paymentRequirements: Requirement
}

export type MemberReply<T> = Answered<T> | Faulty
type Answered<T> = { kind: 'answer'; answer: T; waitMs?: undefined }
/** `waitMs`: how long a busy one wants to be left alone. `said`: its own words, for the operator. */
export type Faulty = { kind: 'fault'; fault: Fault; waitMs?: number | undefined; said?: string | undefined }

export type VerifyReply = { isValid: boolean; reason: string | undefined }
export type SettleReply = { success: boolean; reason: string | undefined; transaction: string | undefined }
/** What it settles: one entry per network, with every fee payer it signs for there. */
export type SupportedReply = readonly SupportedNetwork[]
export type SupportedNetwork = { network: string; feePayers: readonly string[] }

/** How a call went wrong, and whether the facilitator can have acted on it. */
export type Fault =
  /** No connection was made: refused, unknown host, bad certificate, redirected away. */
  | 'unreachable'
  /** Turned away before the request was read: an edge 503 without JSON. */
  | 'edge'
  /** Too many calls, by its limit (429) or by ours. It is well, and did nothing. */
  | 'busy'
  /** Our credentials were not accepted. */
  | 'unauthorized'
  /** HTTP 4xx with JSON that is not an x402 answer: it rejected this one payload. */
  | 'rejected'
  | 'timeout'
  | 'reset'
  | 'server_error'
  /** It says that it moved nothing, though our own node shows that the payment could be moved. */
  | 'unsettled'
  | 'unparsable'

const NEVER_ACTED = new Set<Fault>(['unreachable', 'edge', 'busy', 'unauthorized', 'rejected'])

/** After any other fault the call may have been executed: only the chain knows. */
export const neverActed = (fault: Fault): boolean => NEVER_ACTED.has(fault)

export const faulty = (fault: Fault, said?: string): Faulty => ({
  ...{ kind: 'fault', fault },
  ...(said && { said }),
})
export const busyFor = (waitMs: number): Faulty => ({ kind: 'fault', fault: 'busy', waitMs })
