import type { PaidProduct } from '../../catalog/catalog.ts'
import type { PaymentTerms, Requirement } from '../../catalog/payment-terms.ts'
import { toAtomic } from '../../core/money.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Payment } from '../gate/payment.ts'
import type { RefusalReason } from '../gate/refusal.ts'
import { findTermsProblem } from './accepted-terms.ts'
import { type Envelope, parseEnvelope } from './envelope.ts'
import { createReadEvm } from './evm/read-evm.ts'
import type { SmartWalletSignatures } from './evm/smart-wallet-signatures.ts'
import { createIsOwnResource, type IsOwnResource } from './own-resource.ts'
import type { ReadScheme } from './read-scheme.ts'
import { createReadSvm } from './svm/read-svm.ts'

/** A payment header as it came: v2 in `PAYMENT-SIGNATURE`, v1 in `X-PAYMENT`. */
export type PaymentHeader = { version: 1 | 2; text: string }

/**
 * A payment with its key and the problem that our own checks found, or only a reason where not even a key can be read.
 * Cheap checks come first: shape, amount, recipient, asset, times, signature. No facilitator is asked.
 */
export type ReadPayment = (
  header: PaymentHeader,
  product: PaidProduct,
  client: string,
) => Promise<{ payment: Payment; problem: RefusalReason | undefined } | { reason: RefusalReason }>

export type ReadPaymentPorts = {
  clock: Clock
  terms: PaymentTerms
  signatures: SmartWalletSignatures
  baseUrl: string
}

/** Throws if the chain cannot be asked about a contract wallet, and for a network that is suspended. */
export function createReadPayment(ports: ReadPaymentPorts): ReadPayment {
  const { terms } = ports
  const isOwnResource = createIsOwnResource(ports.baseUrl)
  const readEvm = createReadEvm(ports)
  const readSvm = createReadSvm()
  return async ({ version, text }, product, client) => {
    const envelope = parseEnvelope(text, version)
    if (typeof envelope === 'string') return { reason: envelope }
    const requirement = terms
      .accepts(toAtomic(product.access.price))
      .find(({ scheme, network }) => scheme === envelope.scheme && network === envelope.network)
    if (!requirement) {
      // It may be paid already: after a 402 the payer would sign, and pay, a second time.
      if (terms.isSuspended(envelope.network)) throw suspended()
      return { reason: 'unsupported_network' }
    }
    const readScheme: ReadScheme = requirement.network.startsWith('eip155:') ? readEvm : readSvm
    const termsProblem = findEnvelopeProblem(envelope, requirement, isOwnResource, product)
    const named = await readScheme(envelope.payload, requirement, { termsProblem, client })
    if (typeof named === 'string') return { reason: named }
    const { problem, payload, ...rest } = named
    const { network } = requirement
    const { identifier } = envelope
    const resourceUrl = termsProblem ? undefined : envelope.resourceUrl
    const v2 = toV2(payload, requirement, resourceUrl)
    return { payment: { ...rest, version, network, requirement, identifier, payload: v2 }, problem }
  }
}

const suspended = () =>
  new ServiceError('payments_unavailable', 'no facilitator settles on this network right now', {
    hint: 'retry with the same payment',
  })

function findEnvelopeProblem(
  { accepted, resourceUrl }: Envelope,
  requirement: Requirement,
  isOwnResource: IsOwnResource,
  product: PaidProduct,
): RefusalReason | undefined {
  const problem = accepted && findTermsProblem(accepted, requirement)
  if (problem) return problem
  return resourceUrl === undefined || isOwnResource(resourceUrl, product) ? undefined : 'wrong_terms'
}

/** Rebuilt from checked parts: the terms are ours, and texts echoed by the caller never reach a facilitator. */
function toV2(payload: Record<string, unknown>, accepted: Requirement, url: string | undefined) {
  return { x402Version: 2, ...(url !== undefined && { resource: { url } }), accepted, payload }
}
