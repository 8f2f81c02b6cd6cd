import { isPaid, type PaidProduct, type Route } from '../catalog/catalog.ts'
import type { Requirement, Site } from '../catalog/document.ts'
import { toAtomic } from '../core/money.ts'
import { SERVICE } from '../core/service.ts'
import { bazaarExtension } from './bazaar.ts'
import { EVM_NETWORK, SVM_NETWORK } from './terms.ts'

/** Why a request was answered 402; part of the published interface. */
export type RefusalReason = 'payment_required'

/** A 402 ready to be copied: the v2 envelope in base64 for the headers, and the body in the version asked for. */
export type Challenge = { header: string; body: string; bodyBytes: number }
export type Challenges = {
  /** `resource` is path and query as the caller sent them, without the params that steer payment. */
  challenge(route: Route, resource: string, version: 1 | 2, reason?: RefusalReason): Challenge
}

const REMEMBERED = 2_000
const V1_NETWORKS: Record<string, string> = { [EVM_NETWORK]: 'base', [SVM_NETWORK]: 'solana' }

/** Envelopes depend on nothing but the address, so each is built once and then copied. */
export function createChallenges(site: Pick<Site, 'baseUrl' | 'payment'>): Challenges {
  const remembered = new Map<string, Challenge>()
  return {
    challenge(route, resource, version, reason = 'payment_required') {
      const key = `${version}${reason}${resource}`
      const known = remembered.get(key)
      if (known) return known
      if (remembered.size >= REMEMBERED) remembered.delete(remembered.keys().next().value as string)
      const built = build(site, route, resource, version, reason)
      remembered.set(key, built)
      return built
    },
  }
}

function build(
  site: Pick<Site, 'baseUrl' | 'payment'>,
  route: Route,
  resource: string,
  version: 1 | 2,
  reason: RefusalReason,
): Challenge {
  const product = route.endpoint
  if (!isPaid(product)) throw new Error(`${product.id} is not for sale`)
  const url = `${site.baseUrl}${resource}`
  const accepts = site.payment.accepts(toAtomic(product.access.price))
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
  const v2 = JSON.stringify(envelope)
  const body = version === 2 ? v2 : JSON.stringify(toV1(product, url, accepts, reason))
  return { header: Buffer.from(v2).toString('base64'), body, bodyBytes: Buffer.byteLength(body) }
}

/** Stock v1 clients read only the body, and refuse all of it when one entry is not v1. */
function toV1(product: PaidProduct, resource: string, accepts: readonly Requirement[], error: RefusalReason) {
  return {
    x402Version: 1,
    error,
    accepts: accepts.map(({ network, amount, ...rest }) => ({
      ...rest,
      network: V1_NETWORKS[network],
      maxAmountRequired: amount,
      resource,
      description: product.description,
      mimeType: 'application/json',
      outputSchema: { input: { type: 'http', method: product.method }, output: { example: product.example } },
    })),
  }
}
