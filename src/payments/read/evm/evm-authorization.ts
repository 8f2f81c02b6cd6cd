import type { Requirement } from '../../../catalog/payment-terms.ts'
import type { RefusalReason } from '../../gate/refusal.ts'
import { isObject } from '../bounded-json.ts'
import type { Fault } from '../faults.ts'

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

/** Facilitators refuse what would expire before it is mined: three blocks of two seconds. */
const SETTLE_MARGIN_S = 6
/** How far a payer's clock may be ahead of ours. Beyond it we would ask the chain for longer than we promise. */
export const CLOCK_MARGIN_S = 60

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
/** Below 10^18, without sign, exponent or leading zeros, as amounts are everywhere here. */
const AMOUNT = /^(0|[1-9][0-9]{0,17})$/
/** Seconds that a JavaScript number holds exactly, even in milliseconds. */
const SECONDS = /^(0|[1-9][0-9]{0,11})$/
const NONCE = /^0x[0-9a-fA-F]{64}$/
const SIGNATURE = /^0x(?:[0-9a-fA-F]{2})+$/

const SHAPES = [
  ['from', ADDRESS],
  ['to', ADDRESS],
  ['value', AMOUNT],
  ['validAfter', SECONDS],
  ['validBefore', SECONDS],
  ['nonce', NONCE],
] as const

export function findSignedAuthorization(payload: unknown): SignedAuthorization | undefined {
  return findAuthorizationFault(payload) ? undefined : lowerAll(payload as SignedAuthorization)
}

/** Exactly these fields. By hand for speed: every EVM payment comes this way. */
export function findAuthorizationFault(payload: unknown): Fault | undefined {
  if (!isObject(payload) || Object.keys(payload).length !== 2) return 'payload'
  const { signature, authorization: signed } = payload
  if (!isObject(signed) || Object.keys(signed).length !== SHAPES.length) return 'payload.authorization'
  if (!matches(signature, SIGNATURE)) return 'payload.signature'
  for (const [name, shape] of SHAPES)
    if (!matches(signed[name], shape)) return `payload.authorization.${name}`
  return undefined
}

function lowerAll({ signature, authorization }: SignedAuthorization): SignedAuthorization {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  return {
    signature: lower(signature),
    authorization: {
      from: lower(from),
      to: lower(to),
      value,
      validAfter,
      validBefore,
      nonce: lower(nonce),
    },
  }
}

const matches = (value: unknown, shape: RegExp): boolean => typeof value === 'string' && shape.test(value)
const lower = (text: string) => text.toLowerCase() as Hex

/** Everything but the signature. */
export function findAuthorizationProblem(
  authorization: Authorization,
  ours: Requirement,
  nowMs: number,
): RefusalReason | undefined {
  if (authorization.value !== ours.amount) return 'wrong_amount'
  if (authorization.to !== ours.payTo.toLowerCase()) return 'wrong_recipient'
  const nowS = nowMs / 1000
  if (Number(authorization.validAfter) > nowS) return 'not_yet_valid'
  if (Number(authorization.validBefore) <= nowS + SETTLE_MARGIN_S) return 'expired'
  return livesTooLong(authorization, ours.maxTimeoutSeconds, nowMs) ? 'wrong_terms' : undefined
}

export function livesTooLong({ validBefore }: Authorization, timeoutS: number, nowMs: number): boolean {
  return Number(validBefore) > nowMs / 1000 + timeoutS + CLOCK_MARGIN_S
}
