import { type Catalog, isPaid } from '../../catalog/catalog.ts'
import type { Replies } from '../../catalog/encoded-reply.ts'
import type { FindOffer } from '../../payments/transfer-claim/transfer-claims.ts'
import { paidResourceOf } from '../request/paid-resource.ts'
import { createReadRoute } from '../request/read-params.ts'
import { createReadTarget } from '../request/target.ts'
import { createRouter } from '../router.ts'

/** What a GET of this path and query would buy; the same address rules as for a request. */
export function createFindOffer(catalog: Catalog, replies: Replies): FindOffer {
  const readTarget = createReadTarget(createRouter(catalog))
  return (endpoint) => {
    if (!endpoint.startsWith('/')) return undefined
    const target = readTarget(endpoint)
    const route = target.routes.get('GET')
    if (!route || !isPaid(route.endpoint)) return undefined
    const product = route.endpoint
    const params = createReadRoute(route, product)(target.values, target.query)
    return {
      product,
      request: `GET ${paidResourceOf(target)}`,
      checkExists: () => replies.checkExists(product, params),
      work: (paid) => replies.sell(paid, product, params),
    }
  }
}
