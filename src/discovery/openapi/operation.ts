import { type Endpoint, isPaid, type Route } from '../../catalog/catalog.ts'
import { describeLimit, type RateLimit } from '../../catalog/rate-limit.ts'
import type { Site } from '../../catalog/site.ts'
import { parametersOf, requestBodyOf } from './parameters.ts'
import { paymentKeys } from './payment.ts'
import { responsesOf } from './responses.ts'

/** One address of an endpoint as an OpenAPI operation. */
export function toOperation(site: Site, route: Route<Site>): object {
  const { endpoint } = route
  const parameters = parametersOf(route)
  const requestBody = requestBodyOf(route)
  return {
    operationId: operationIdOf(route),
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: endpoint.description,
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: responsesOf(site, route),
    ...(endpoint.limit && { 'x-rate-limit': rateLimitOf(endpoint.limit) }),
    ...(isPaid(endpoint) && paymentKeys(site, endpoint)),
  }
}

/** The endpoint's id; an alias adds its own path, so that a new alias renames no other. */
function operationIdOf({ endpoint, path }: Route): string {
  const id = endpoint.id.replace(/\W+/g, '_')
  if (path === endpoint.path) return id
  return `${id}__${path.replace(/\W+/g, '_').replace(/^_|_$/g, '')}`
}

export const securitySchemes = {
  operator_key: { type: 'http', scheme: 'bearer', description: "The operator's key" },
  wallet_token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Given to a wallet that signed in',
  },
}

function rateLimitOf(limit: RateLimit) {
  return { calls: limit.calls, window_seconds: limit.windowS, per: 'client', text: describeLimit(limit) }
}

/** Payment is no security scheme: what is open or paid needs no credential. */
function securityOf({ access }: Endpoint): Record<string, string[]>[] {
  if (access.kind === 'operator') return [{ operator_key: [] }]
  if (access.kind === 'wallet') return [{ wallet_token: [] }]
  return []
}
