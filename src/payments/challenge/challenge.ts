import { isPaid, type PaidProduct, type Route } from '../../catalog/catalog.ts'
import type { PaymentTerms, Requirement } from '../../catalog/payment-terms.ts'
import { createBoundedCache } from '../../core/bounded-cache.ts'
import { toAtomic } from '../../core/money.ts'
import { SERVICE } from '../../core/service.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { RefusalReason } from '../gate/refusal.ts'
import { OFFER_RECEIPT, OFFER_RENEW_MS, type Offers, roomBeside } from '../receipts/offers.ts'
import { bazaarExtension } from './bazaar.ts'
import { V1_NAMES } from './terms.ts'

/** A 402 ready to be sent: the v2 envelope in base64 for the header, and the body in the requested version. */
export type Challenge = { header: string; body: string; bodyBytes: number; madeAtMs: number }
export type Challenges = {
  /** `resource` is path and query as the caller sent them, without the params that control payment. */
  challenge(route: Route, resource: string, version: 1 | 2, reason?: RefusalReason): Challenge
}
type Ports = { baseUrl: string; payment: PaymentTerms; offers: Offers; clock: Clock }

const REMEMBERED = 2_000

/** An envelope depends on the address and on signed offers that stay valid for a while, so it is built once and reused. */
export function createChallenges(ports: Ports): Challenges {
  const remembered = createBoundedCache<string, Challenge>({ capacity: REMEMBERED })
  return {
    challenge(route, resource, version, reason = 'payment_required') {
      const key = `${version}${reason}${resource}`
      const known = remembered.get(key)
      if (known && ports.clock.now() - known.madeAtMs < OFFER_RENEW_MS) return known
      const built = build(ports, route, resource, version, reason)
      remembered.set(key, built)
      return built
    },
  }
}

function build(
  ports: Ports,
  route: Route,
  resource: string,
  version: 1 | 2,
  reason: RefusalReason,
): Challenge {
  const product = route.endpoint
  if (!isPaid(product)) throw new Error(`${product.id} is not for sale`)
  const url = `${ports.baseUrl}${resource}`
  const accepts = ports.payment.accepts(toAtomic(product.access.price))
  const envelope = {
    x402Version: 2,
    error: reason,
    resource: {
      url,
      description: product.description,
      mimeType: 'application/json',
      serviceName: SERVICE.name,
      tags: [product.tag],
    },
    accepts,
    extensions: { bazaar: bazaarExtension(route, product) },
  }
  const offered = ports.offers.extension(url, accepts, roomBeside(JSON.stringify(envelope)))
  const extensions = { ...envelope.extensions, ...(offered && { [OFFER_RECEIPT]: offered }) }
  const v2 = JSON.stringify({ ...envelope, extensions })
  const body = version === 2 ? v2 : JSON.stringify(toV1(product, url, accepts, reason))
  const header = Buffer.from(v2).toString('base64')
  return { header, body, bodyBytes: Buffer.byteLength(body), madeAtMs: ports.clock.now() }
}

/** Stock v1 clients read only the body, and reject all of it when one entry is not v1. */
function toV1(product: PaidProduct, resource: string, accepts: readonly Requirement[], error: RefusalReason) {
  return {
    x402Version: 1,
    error,
    accepts: accepts.map(({ network, amount, ...rest }) => ({
      ...rest,
      network: V1_NAMES.get(network),
      maxAmountRequired: amount,
      resource,
      description: product.description,
      mimeType: 'application/json',
      outputSchema: { input: { type: 'http', method: product.method }, output: { example: product.example } },
    })),
  }
}
