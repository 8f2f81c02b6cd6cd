import type { Catalog, PaidProduct } from '../../catalog/catalog.ts'
import { fillPath } from '../../catalog/path.ts'
import type { Mode } from '../../config/variables/variable.ts'
import type { Payment } from '../gate/payment.ts'
import type { Facilitators } from '../gate/ports.ts'
import { bazaarOf } from './bazaar.ts'
import { wordsOf } from './challenge.ts'
import { MIME_TYPE } from './header-envelope.ts'

/** What a directory shows of a product, as x402 payments carry it to facilitators. */
export type Listing = { resource: object; extensions: { bazaar: object } }
export type ListingOf = (productId: string) => Listing | undefined

/** In JSON. A large facilitator is reported to refuse envelopes of about 3.5 KB, and what was signed comes on top. */
export const LISTING_LIMIT = 2_000

/** Made when a product is first sold. The address is the product's own, whatever alias and params were asked for. */
export function createListings(site: { baseUrl: string; mode: Mode; catalog: Catalog }): ListingOf {
  const products = new Map(site.catalog.paid.map((product) => [product.id, product]))
  const made = new Map<string, Listing>()
  return (productId) => {
    const product = products.get(productId)
    if (!product) return undefined
    const listing = made.get(productId) ?? toListing(site, product)
    made.set(productId, listing)
    return listing
  }
}

function toListing({ baseUrl, mode }: { baseUrl: string; mode: Mode }, product: PaidProduct): Listing {
  const { method, path, summary, sample, tag } = product
  const route = { method, path, preset: {}, endpoint: product }
  const { serviceName } = wordsOf(product, mode)
  const url = `${baseUrl}${fillPath(path, sample)}`
  const resource = { url, description: summary, mimeType: MIME_TYPE, serviceName, tags: [tag] }
  const { whole, brief, briefest } = bazaarOf(route, product)
  const listings = [whole, brief].map((bazaar) => ({ resource, extensions: { bazaar } }))
  const fits = (listing: Listing) => JSON.stringify(listing).length <= LISTING_LIMIT
  return listings.find(fits) ?? { resource, extensions: { bazaar: briefest } }
}

/**
 * Facilitators that hear with every payment what it buys. They hear it in our words: what the buyer echoed of our 402
 * is not passed on. It is added on the way out, so that the ledger does not hold it once for every sale.
 */
export function withListings(facilitators: Facilitators, listingOf: ListingOf): Facilitators {
  const listed = (payment: Payment): Payment => {
    const listing = payment.productId === undefined ? undefined : listingOf(payment.productId)
    return listing ? { ...payment, payload: { ...payment.payload, ...listing } } : payment
  }
  return {
    ...facilitators,
    verify: (payment, isKnown) => facilitators.verify(listed(payment), isKnown),
    settle: (payment, failedAt) => facilitators.settle(listed(payment), failedAt),
  }
}
