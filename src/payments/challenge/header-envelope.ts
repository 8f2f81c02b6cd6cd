import type { PaidProduct, Route } from '../../catalog/catalog.ts'
import type { Requirement } from '../../catalog/payment-terms.ts'
import type { RefusalReason } from '../gate/refusal.ts'
import { bazaarOf } from './bazaar.ts'
import { IDENTIFIER_BRIEF } from './payment-identifier.ts'

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
  const described = { url, description: product.summary }
  const typed = { ...described, mimeType: MIME_TYPE }
  const listed = { ...typed, serviceName }
  const { brief, briefest } = bazaarOf(route, product)
  const fuller = [
    () => envelopeOf(terms, listed, { bazaar: brief }),
    () => envelopeOf(terms, listed, { bazaar: briefest }),
    () => envelopeOf(terms, { ...described, serviceName }, { bazaar: briefest }),
    () => envelopeOf(terms, described, { bazaar: briefest }),
    () => envelopeOf(terms, typed),
  ]
  for (const make of fuller) {
    const encoded = encode(make())
    if (encoded.length <= LIMITS[kind]) return encoded
  }
  return encode(envelopeOf(terms, { url }))
}

const encode = (envelope: object) => Buffer.from(JSON.stringify(envelope)).toString('base64')

export const MIME_TYPE = 'application/json'

function envelopeOf({ error, accepts }: Terms, resource: object, listing?: object) {
  return { x402Version: 2, error, resource, accepts, extensions: { ...listing, ...IDENTIFIER_BRIEF } }
}
