import { z } from 'zod'
import type { Requirement } from '../../catalog/document.ts'
import type { RefusalReason } from '../refusal.ts'

export type Hex = `0x${string}`
/** An EIP-3009 authorization as it was signed, in lower case. */
export type Authorization = {
  from: Hex
  to: Hex
  value: string
  validAfter: string
  validBefore: string
  nonce: Hex
}
export type SignedAuthorization = { authorization: Authorization; signature: Hex }

/** Facilitators refuse what would expire before a block can hold it: three blocks of two seconds. */
const SETTLE_MARGIN_S = 6
/** How far ahead of ours a payer's clock may run. Beyond it the chain would be asked for longer than we promise. */
const CLOCK_MARGIN_S = 60

const lower = (text: string) => text.toLowerCase() as Hex
const Address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform(lower)
/** As amounts everywhere: below 10^18, no sign, no exponent, no leading zero. */
const Amount = z.string().regex(/^(0|[1-9][0-9]{0,17})$/)
/** Seconds that a JavaScript number holds exactly even as milliseconds. */
const Seconds = z.string().regex(/^(0|[1-9][0-9]{0,11})$/)

const Exact = z.strictObject({
  signature: z
    .string()
    .regex(/^0x(?:[0-9a-fA-F]{2})+$/)
    .transform(lower),
  authorization: z.strictObject({
    from: Address,
    to: Address,
    value: Amount,
    validAfter: Seconds,
    validBefore: Seconds,
    nonce: z
      .string()
      .regex(/^0x[0-9a-fA-F]{64}$/)
      .transform(lower),
  }),
})

export function findSignedAuthorization(payload: unknown): SignedAuthorization | undefined {
  return Exact.safeParse(payload).data
}

/** Everything but the signature. */
export function findAuthorizationProblem(
  authorization: Authorization,
  ours: Requirement,
  nowMs: number,
): RefusalReason | undefined {
  if (authorization.value !== ours.amount) return 'wrong_amount'
  if (authorization.to !== ours.payTo.toLowerCase()) return 'wrong_recipient'
  const nowS = nowMs / 1000
  const validBeforeS = Number(authorization.validBefore)
  if (Number(authorization.validAfter) > nowS) return 'not_yet_valid'
  if (validBeforeS <= nowS + SETTLE_MARGIN_S) return 'expired'
  if (validBeforeS > nowS + ours.maxTimeoutSeconds + CLOCK_MARGIN_S) return 'wrong_terms'
  return undefined
}
