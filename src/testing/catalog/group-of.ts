import { type AnyProduct, createCatalog } from '../../catalog/catalog.ts'
import type { ProductOf } from '../../catalog/endpoints/endpoint.ts'
import type { EndpointOf, Group } from '../../catalog/group.ts'

/** A group of whatever a test has made. */
export function groupOf(...endpoints: readonly EndpointOf<never>[]): Group<never> {
  return { tag: 'test', about: 'Made for a test.', endpoints }
}

/** A product as it stands in a catalog. */
export function listed(product: ProductOf<never>): AnyProduct {
  return createCatalog([groupOf(product)]).products[0] as AnyProduct
}
