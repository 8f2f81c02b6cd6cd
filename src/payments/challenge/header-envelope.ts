import type { PaidProduct, Route } from '../../catalog/catalog.ts'
import type { Requirement } from '../../catalog/payment-terms.ts'
import type { RefusalReason } from '../gate/refusal.ts'
import { briefBazaar } from './bazaar.ts'

export type Terms = {
  route: Route
  product: PaidProduct
  /** Directories take at most 32 characters. */
  serviceName: string
  url: string
  error: RefusalReason
  accepts: readonly Requirement[]
}

/**
 * nginx reads at most 4 KB of headers unless it is told otherwise, and the envelope goes into two of them. A page has
 * less room: its policy is long.
 */
const LIMITS = { data: 1_492, page: 1_360 }

/**
 * The v2 envelope as a header carries it, in base64: what a payer needs is always in it, what a directory lists as long
 * as there is room. The body has everything.
 */
export function encodeHeader(terms: Terms, kind: keyof typeof LIMITS): string {
  const { url, product, route, serviceName } = terms
  const described = { url, description: product.summary, mimeType: MIME_TYPE }
  const listed = { ...described, serviceName }
  const variants = [
    envelopeOf(terms, listed, { bazaar: briefBazaar(route, product, { isTyped: true }) }),
    envelopeOf(terms, listed, { bazaar: briefBazaar(route, product, { isTyped: false }) }),
    envelopeOf(terms, described),
    envelopeOf(terms, { url }),
  ].map((envelope) => Buffer.from(JSON.stringify(envelope)).toString('base64'))
  return variants.find(({ length }) => length <= LIMITS[kind]) ?? (variants.at(-1) as string)
}

export const MIME_TYPE = 'application/json'

function envelopeOf({ error, accepts }: Terms, resource: object, extensions?: object) {
  return { x402Version: 2, error, resource, accepts, ...(extensions && { extensions }) }
}
