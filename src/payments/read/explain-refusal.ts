import { MAX_TIMEOUT_S } from '../challenge/terms.ts'
import type { RefusalReason } from '../gate/refusal.ts'
import { parseEnvelope } from './envelope.ts'
import {
  CLOCK_MARGIN_S,
  findAuthorizationFault,
  findSignedAuthorization,
  livesTooLong,
} from './evm/evm-authorization.ts'
import { FAULTS, type Fault } from './faults.ts'
import type { PaymentHeader } from './read-payment.ts'

const TOO_LONG = `The authorization lives too long: validBefore may be at most ${MAX_TIMEOUT_S} s ahead of now, as maxTimeoutSeconds says; ${CLOCK_MARGIN_S} s more pass, for clocks that differ.`

/**
 * What is wrong with a payment that was refused, where its reason does not say it. It is read a second time, so that
 * good payments and the gate carry nothing for it.
 */
export function explainRefusal(
  payment: PaymentHeader,
  reason: RefusalReason,
  nowMs: number,
): string | undefined {
  if (reason === 'wrong_terms') return isForTooLong(payment, nowMs) ? TOO_LONG : undefined
  if (reason !== 'malformed_payment') return undefined
  const fault = findFault(payment)
  return fault && `The payment cannot be read: ${FAULTS[fault]}.`
}

function isForTooLong({ version, text }: PaymentHeader, nowMs: number): boolean {
  const envelope = parseEnvelope(text, version)
  const signed = 'reason' in envelope ? undefined : findSignedAuthorization(envelope.payload)
  return signed !== undefined && livesTooLong(signed.authorization, MAX_TIMEOUT_S, nowMs)
}

function findFault({ version, text }: PaymentHeader): Fault | undefined {
  const envelope = parseEnvelope(text, version)
  if ('reason' in envelope) return envelope.fault
  const { network, payload } = envelope
  return network.startsWith('eip155:') ? findAuthorizationFault(payload) : 'payload.transaction'
}
