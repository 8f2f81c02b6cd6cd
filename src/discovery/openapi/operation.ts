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
  const parts = path.split('/').flatMap((part) => part.replace(/\W+/g, '_').replace(/^_|_$/g, '') || [])
  // Two aliases may differ in a slash alone: /whale-moves and /whale/moves.
  return `${id}__${parts.join('__')}`
}

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description })

/** One for each scope: names of scopes beside a bearer scheme are new in OpenAPI 3.1, and linters refuse them. */
export const securitySchemes = {
  operator_key: bearer("Any of the operator's keys"),
  trade_key: bearer("A key of the operator's with the scope trade"),
  admin_key: bearer("A key of the operator's with the scope admin"),
  wallet_token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'Given to a wallet that signed in. On what is paid it takes the place of a payment, as many times a day as the tier of the wallet allows',
  },
  wallet_proof: {
    type: 'apiKey',
    in: 'header',
    name: 'SIGN-IN-WITH-X',
    description: 'Signed by a wallet for one call, as the x402 extension sign-in-with-x has it',
  },
}

function rateLimitOf(limit: RateLimit) {
  return { calls: limit.calls, window_seconds: limit.windowS, per: 'client', text: describeLimit(limit) }
}

/** Payment is no security scheme: what is paid needs no credential, and takes the token of a holder. */
export function securityOf({ access }: Endpoint): { [scheme in keyof typeof securitySchemes]?: [] }[] {
  if (access.kind === 'operator')
    return [access.scope === 'read' ? { operator_key: [] } : { [`${access.scope}_key`]: [] }]
  if (access.kind === 'paid') return [{}, { wallet_token: [] }]
  if (access.kind === 'wallet') return [{ wallet_token: [] }]
  if (access.kind === 'payer') return [{ wallet_proof: [] }, { wallet_token: [] }]
  return []
}
