import { type Catalog, isPaid } from '../../catalog/catalog.ts'
import type { Replies } from '../../catalog/encoded-reply.ts'
import type { FindOffer } from '../../payments/transfer-claim/transfer-claims.ts'
import { createReadAsked } from './read-asked.ts'

/** What a GET of this path and query would buy; the same address rules as for a request. */
export function createFindOffer(catalog: Catalog, replies: Replies): FindOffer {
  const readAsked = createReadAsked(catalog)
  return (endpoint) => {
    const asked = readAsked(endpoint)
    if (!asked || !isPaid(asked.product)) return undefined
    const { product, params, resource } = asked
    return {
      product,
      request: `GET ${resource}`,
      checkExists: (mayLook) => replies.checkExists(product, params, mayLook),
      work: (paid) => replies.sell(paid, product, params),
    }
  }
}
