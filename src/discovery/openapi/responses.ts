import { isPaid, type Route } from '../../catalog/catalog.ts'
import type { Document, Rendering, Site } from '../../catalog/document.ts'
import type { AnyProduct } from '../../catalog/endpoint.ts'
import { fillPath, pathNames } from '../../catalog/path.ts'
import { paramsOf } from '../sample-call.ts'
import { refTo } from './component.ts'

export function responsesOf(site: Site, route: Route): Record<string, unknown> {
  const { endpoint } = route
  const refused = { '4XX': refTo('responses', 'Refused') }
  if (endpoint.kind === 'document') return { ...documentResponses(site, endpoint), ...refused }
  if (endpoint.kind === 'product') return { ...productResponses(route, endpoint), ...refused }
  return {
    // What a client sees that follows by itself, as most do.
    '2XX': { description: `The reply of ${endpoint.to}` },
    307: { description: `Go to ${endpoint.to}`, headers: { Location: refTo('headers', 'Location') } },
    ...refused,
  }
}

function productResponses(route: Route, product: AnyProduct): Record<string, unknown> {
  const isForSale = isPaid(product)
  const needsCredential = product.access.kind === 'operator' || product.access.kind === 'wallet'
  const canBeWrong = isForSale || paramsOf(route).length > 0
  const content = {
    'application/json': { schema: refTo('schemas', product.id), ...exampleOf(route, product) },
  }
  return {
    200: { description: product.summary, ...(isForSale && { headers: paidHeaders }), content },
    ...(needsCredential && { 401: refTo('responses', 'Unauthorized') }),
    ...(isForSale && { 402: refTo('responses', 'PaymentRequired') }),
    ...(pathNames(route.path).length > 0 && { 404: refTo('responses', 'NotFound') }),
    ...(canBeWrong && { 422: refTo('responses', 'ValidationError') }),
    429: refTo('responses', 'RateLimited'),
    503: product.isOutage
      ? { description: 'Something the service needs is down; the body says what.', content }
      : refTo('responses', 'Unavailable'),
  }
}

const paidHeaders = {
  'X-Demo-Calls-Limit': refTo('headers', 'DemoLimit'),
  'X-Demo-Calls-Remaining': refTo('headers', 'DemoRemaining'),
  'PAYMENT-REQUIRED': refTo('headers', 'PaymentRequired'),
  'PAYMENT-RESPONSE': refTo('headers', 'PaymentResponse'),
}

/** The example belongs to the sample; an alias that fixes other values says whose reply it shows. */
function exampleOf({ method, preset }: Route, product: AnyProduct) {
  const differs = Object.entries(preset).some(([name, value]) => product.sample[name] !== value)
  if (!differs) return { example: product.example }
  const call = `${method} ${fillPath(product.path, product.sample)}`
  return { examples: { reply: { summary: `Reply to ${call}`, value: product.example } } }
}

function documentResponses(site: Site, document: Document): Record<string, unknown> {
  const content = document.renderings.map((rendering) => [
    rendering.mediaType,
    mediaOf(site, document, rendering),
  ])
  return {
    200: {
      description: document.summary,
      headers: { ETag: refTo('headers', 'ETag') },
      content: Object.fromEntries(content),
    },
    304: { description: 'Unchanged since the ETag in If-None-Match' },
  }
}

function mediaOf(site: Site, document: Document, { schema, example }: Rendering) {
  return {
    schema: schema ? refTo('schemas', document.id) : { type: 'string' },
    ...(example && { example: example(site) }),
  }
}
