import type { RefusalReason } from '../gate/refusal.ts'
import { parseEnvelope } from './envelope.ts'
import { findAuthorizationFault } from './evm/evm-authorization.ts'
import { FAULTS, type Fault } from './faults.ts'
import type { PaymentHeader } from './read-payment.ts'

/**
 * What is wrong with a payment that was refused, where its reason does not say it. It is read a second time, so that
 * good payments and the gate carry nothing for it.
 */
export function explainRefusal(payment: PaymentHeader, reason: RefusalReason): string | undefined {
  if (reason !== 'malformed_payment') return undefined
  const fault = findFault(payment)
  return fault && `The payment cannot be read: ${FAULTS[fault]}.`
}

function findFault({ version, text }: PaymentHeader): Fault | undefined {
  const envelope = parseEnvelope(text, version)
  if ('reason' in envelope) return envelope.fault
  const { network, payload } = envelope
  return network.startsWith('eip155:') ? findAuthorizationFault(payload) : 'payload.transaction'
}
