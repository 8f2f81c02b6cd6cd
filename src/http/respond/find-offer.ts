import { type Catalog, isPaid } from '../../catalog/catalog.ts'
import type { Replies } from '../../catalog/encoded-reply.ts'
import { pathNames } from '../../catalog/path.ts'
import type { FindOffer } from '../../payments/transfer-claim/transfer-claims.ts'
import { createReadParams } from '../request/read-params.ts'
import { createReadTarget } from '../request/target.ts'
import { createRouter } from '../router.ts'
import { resourceOf } from './respond-paid.ts'

/** What a GET of this path and query would buy; the same address rules as for a request. */
export function createFindOffer(catalog: Catalog, replies: Replies): FindOffer {
  const readTarget = createReadTarget(createRouter(catalog))
  return (endpoint) => {
    if (!endpoint.startsWith('/')) return undefined
    const target = readTarget(endpoint)
    const route = target.routes.get('GET')
    if (!route || !isPaid(route.endpoint)) return undefined
    const { endpoint: product, preset, path } = route
    if (product.kind !== 'product' || !isPaid(product)) return undefined
    const read = createReadParams({ schema: product.params, inPath: pathNames(path), preset })
    const params = read(target.values, target.query)
    return {
      product,
      request: `GET ${resourceOf(target)}`,
      work: (paid) => replies.sell(paid, product, params),
    }
  }
}
