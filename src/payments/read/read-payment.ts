import type { PaidProduct } from '../../catalog/catalog.ts'
import type { PaymentTerms, Requirement } from '../../catalog/payment-terms.ts'
import { toAtomic } from '../../core/money.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Payment } from '../gate/payment.ts'
import type { RefusalReason } from '../gate/refusal.ts'
import type { Problem } from '../gate/sell.ts'
import { findTermsProblem } from './accepted-terms.ts'
import { type Envelope, parseEnvelope } from './envelope.ts'
import { createReadEvm, type ReadEvmPorts } from './evm/read-evm.ts'
import { createIsOwnResource, type IsOwnResource } from './own-resource.ts'
import type { ReadScheme } from './read-scheme.ts'
import { createReadSvm, findFeePayer } from './svm/read-svm.ts'

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
  /** Known before: then nothing is checked, nobody is asked, and only the payment's key is read. */
  known?: Problem,
) => Promise<{ payment: Payment; problem: Problem | undefined } | { reason: RefusalReason }>

export type ReadPaymentPorts = ReadEvmPorts & {
  terms: PaymentTerms
  baseUrl: string
}

export function createReadPayment(ports: ReadPaymentPorts): ReadPayment {
  const { terms } = ports
  const isOwnResource = createIsOwnResource(ports.baseUrl)
  const readEvm = createReadEvm(ports)
  const readSvm = createReadSvm()
  return async ({ version, text }, product, client, known) => {
    const envelope = parseEnvelope(text, version)
    if ('reason' in envelope) return { reason: envelope.reason }
    const price = toAtomic(product.access.price)
    const offered = terms
      .accepts(price)
      .find(({ scheme, network }) => scheme === envelope.scheme && network === envelope.network)
    const requirement = offered
      ? asOfferedBefore(offered, envelope, terms)
      : findSuspended(envelope, price, terms)
    if (!requirement) return { reason: 'unsupported_network' }
    const readScheme: ReadScheme = requirement.network.startsWith('eip155:') ? readEvm : readSvm
    const termsProblem =
      known ?? (offered ? findEnvelopeProblem(envelope, requirement, isOwnResource, product) : suspended())
    const named = await readScheme(envelope.payload, requirement, { termsProblem, client })
    if (typeof named === 'string') return { reason: named }
    const { problem, payload, ...rest } = named
    const { network } = requirement
    const { identifier } = envelope
    // Rebuilt from checked parts: texts that the caller echoes never reach a facilitator.
    const v2 = { x402Version: 2, accepted: requirement, payload }
    const { id: productId } = product
    return {
      payment: { ...rest, version, network, requirement, identifier, productId, payload: v2 },
      problem,
    }
  }
}

/** With the fee payer that the payment names: it answers a 402 of a moment ago, which may have named another one. */
function asOfferedBefore(offered: Requirement, envelope: Envelope, terms: PaymentTerms): Requirement {
  const { network, extra } = offered
  if (extra.feePayer === undefined) return offered
  const { accepted, payload } = envelope
  const feePayer = accepted ? accepted.extra.feePayer : findFeePayer(payload)
  if (typeof feePayer !== 'string' || feePayer === extra.feePayer) return offered
  return terms.mayPayFees(network, feePayer) ? { ...offered, extra: { ...extra, feePayer } } : offered
}

/**
 * While nobody is known to pay the fees on a network nothing new is sold there. What was paid before is still its
 * buyer's, so the payment is read as the fee payer that it names would have offered it: after a 402 its payer would
 * sign, and pay, a second time.
 */
function findSuspended({ scheme, network, payload }: Envelope, price: string, terms: PaymentTerms) {
  const named = terms.suspended(network, price, findFeePayer(payload) ?? NOBODY)
  return named?.scheme === scheme ? named : undefined
}

/** Of a payload that cannot be read, which is told next. */
const NOBODY = 'nobody'

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
