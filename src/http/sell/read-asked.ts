import type { AnyProduct, Catalog, Route } from '../../catalog/catalog.ts'
import { paidResourceOf } from '../request/paid-resource.ts'
import { createReadRoute } from '../request/read-params.ts'
import { createReadTarget, type Target } from '../request/target.ts'
import { createRouter } from '../router.ts'
import type { Asked } from './buy.ts'

/** What a GET of this path and query would bring, read by the rules of a request; undefined where no product answers. */
export type ReadAsked = (address: string) => (Asked & Pick<Target, 'query'>) | undefined

export function createReadAsked(catalog: Catalog): ReadAsked {
  const readTarget = createReadTarget(createRouter(catalog))
  const readers = new Map<Route, ReturnType<typeof createReadRoute>>()
  /** Prepared when a route is first asked for: that costs more than to read with it. */
  const readerOf = (route: Route, product: AnyProduct) => {
    const read = readers.get(route) ?? createReadRoute(route, product)
    readers.set(route, read)
    return read
  }
  return (address) => {
    if (!address.startsWith('/')) return undefined
    const target = readTarget(address)
    const route = target.routes.get('GET')
    if (route?.endpoint.kind !== 'product') return undefined
    const product = route.endpoint
    const params = readerOf(route, product)(target.values, target.query)
    return { route, product, params, resource: paidResourceOf(target), query: target.query }
  }
}
