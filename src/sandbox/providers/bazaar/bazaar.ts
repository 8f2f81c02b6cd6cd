import type { ServiceWorld } from '../../directory/service-world.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'
import type { ProviderServer } from '../provider-server.ts'
import { json, ok, type Read, readOnly, wholeNumber } from '../reply.ts'
import { toBazaarRow } from './row.ts'

const ROOT = '/platform/v2/x402/discovery'
const USUAL_LIMIT = 20
const MAX_LIMIT = 100
const MAX_FOUND = 20

const invalid = (errorMessage: string) => json(400, { errorType: 'invalid_request', errorMessage })

/** The list of what is sold through x402, as the facilitator of Coinbase keeps it. */
export function createBazaarServer(market: SimulatedMarket, { services }: ServiceWorld): ProviderServer {
  const read: Read = (path, query) => {
    const nowMs = market.nowMs()
    if (path === `${ROOT}/resources`) {
      const limit = wholeNumber(query, 'limit', USUAL_LIMIT)
      const offset = wholeNumber(query, 'offset', 0)
      if (limit === undefined || limit < 1 || offset === undefined)
        return invalid('limit and offset must be whole numbers')
      const size = Math.min(limit, MAX_LIMIT)
      return ok({
        x402Version: 2,
        items: services.slice(offset, offset + size).map((service) => toBazaarRow(service, nowMs)),
        pagination: { limit: size, offset, total: services.length },
      })
    }
    if (path !== `${ROOT}/search`) return undefined
    const words = (query.get('query') ?? '').toLowerCase().split(/\s+/).filter(Boolean)
    if (words.length === 0) return invalid('query is required')
    const found = services.filter(({ name, description }) =>
      words.every((word) => `${name} ${description}`.toLowerCase().includes(word)),
    )
    return ok({
      x402Version: 2,
      resources: found.slice(0, MAX_FOUND).map((service) => toBazaarRow(service, nowMs)),
      searchMethod: 'text',
      partialResults: found.length > MAX_FOUND,
    })
  }
  return { rest: readOnly(read), socketAt: () => undefined, close() {} }
}
