import { type AnyProduct, isPaid, type Route } from '../../catalog/catalog.ts'
import type { Document, DocumentSet, Redirect, Rendering } from '../../catalog/endpoints/document.ts'
import type { EventStream } from '../../catalog/endpoints/event-stream.ts'
import { PIXEL_GIF } from '../../catalog/endpoints/page.ts'
import type { Protocol } from '../../catalog/endpoints/protocol.ts'
import { fillPath, pathNames, valuesIn } from '../../catalog/path.ts'
import type { Site } from '../../catalog/site.ts'
import { paramsOf } from '../sample-call.ts'
import { inline, refTo } from './component.ts'

export function responsesOf(site: Site, route: Route<Site>): Record<string, unknown> {
  const { endpoint } = route
  const refused = { '4XX': refTo('responses', 'Refused') }
  switch (endpoint.kind) {
    case 'document':
      return { ...documentResponses(site, endpoint), ...refused }
    case 'document_set':
      return { ...pageResponses(site, endpoint), ...refused }
    case 'product':
      return { ...productResponses(route, endpoint), ...refused }
    case 'page':
      return { ...handledResponses(route, { 'text/html': PAGE }), ...refused }
    case 'pixel':
      return { ...handledResponses(route, { 'image/gif': PIXEL }), ...refused }
    case 'stream':
      return { ...handledResponses(route, eventsOf(endpoint)), ...refused }
    case 'protocol':
      return protocolResponses(route, endpoint)
    case 'redirect':
      return { ...redirectResponses(site, endpoint), ...refused }
  }
}

/** Most clients follow a redirect by themselves, and see the reply of its target. */
function redirectResponses({ catalog }: Site, { to }: Redirect): Record<string, unknown> {
  const [content] = catalog.products.flatMap((product) => {
    const preset = product.method === 'GET' && valuesIn(product.path, to)
    return preset ? jsonOf({ method: 'GET', preset }, product) : []
  })
  return {
    '2XX': { description: `The reply of ${to}`, ...(content && { content }) },
    307: { description: `Go to ${to}`, headers: { Location: refTo('headers', 'Location') } },
  }
}

const jsonOf = (asked: Asked, product: AnyProduct) => ({
  'application/json': { schema: refTo('schemas', product.id), ...exampleOf(asked, product) },
})

const tableOf = ({ toText }: NonNullable<AnyProduct['csv']>, { example }: AnyProduct) =>
  example === undefined ? {} : { example: toText(example) }

function productResponses(route: Route, product: AnyProduct): Record<string, unknown> {
  const isForSale = isPaid(product)
  const content = {
    ...jsonOf(route, product),
    ...(product.csv && { 'text/csv': { schema: { type: 'string' }, ...tableOf(product.csv, product) } }),
    ...(product.pieces && PIECES),
  }
  return {
    ...handledResponses(route, content, isForSale ? paidHeaders : freeHeadersOf(product)),
    ...(product.etag && { 304: UNCHANGED }),
    ...(isForSale && { 402: refTo('responses', 'PaymentRequired') }),
    503: product.isOutage
      ? { description: 'Something the service needs is down; the body says what.', content }
      : refTo('responses', 'Unavailable'),
  }
}

/** Of everything that has a handler. */
function handledResponses(route: Route, content: object, headers: object = {}): Record<string, unknown> {
  const { access, limit, summary } = route.endpoint
  const needsCredential = access.kind !== 'free' && access.kind !== 'paid'
  const needsScope = access.kind === 'operator' && access.scope !== 'read'
  const isAct = access.kind === 'operator' && route.method === 'POST'
  const hasParams = paramsOf(route).length > 0
  const canBeWrong = access.kind === 'paid' || access.kind === 'operator' || hasParams
  const isLookedUp = hasParams && 'checkExists' in route.endpoint
  const sent = { ...headers, ...(limit && rateHeaders) }
  return {
    200: { description: summary, ...(Object.keys(sent).length > 0 && { headers: sent }), content },
    ...(needsCredential && { 401: refTo('responses', 'Unauthorized') }),
    ...(needsScope && { 403: refTo('responses', 'Forbidden') }),
    ...((pathNames(route.path).length > 0 || isLookedUp) && { 404: refTo('responses', 'NotFound') }),
    ...(isAct && { 409: refTo('responses', 'Conflict') }),
    ...(canBeWrong && { 422: refTo('responses', 'ValidationError') }),
    429: refTo('responses', 'RateLimited'),
    503: refTo('responses', 'Unavailable'),
  }
}

/** What fails inside is told with 200, a message that is wrong as such with 4XX, both in the protocol's own words. */
function protocolResponses(route: Route, { id, answer }: Protocol<never>): Record<string, unknown> {
  const content = { 'application/json': { schema: refTo('schemas', id), example: answer.example } }
  const own = refTo('responses', 'ProtocolRefused')
  const { 404: missing, ...handled } = handledResponses(route, content)
  return { ...handled, ...(missing ? { 404: own } : {}), 403: refTo('responses', 'Forbidden'), '4XX': own }
}

/** The body is text without an end; what one event carries stands beside it. */
function eventsOf({ id, event, example }: Pick<EventStream<never>, 'id' | 'event' | 'example'>) {
  const schema = { type: 'string', description: 'Server-sent events; the data of each is JSON' }
  return {
    'text/event-stream': {
      schema,
      'x-event-schema': inline(id, event),
      example: `data: ${JSON.stringify(example)}\n\n`,
    },
  }
}

const PAGE = { schema: { type: 'string' }, example: '<!doctype html>\n<html lang="en">…</html>\n' }

const PIXEL = {
  examples: { pixel: { summary: 'The pixel', externalValue: `data:image/gif;base64,${PIXEL_GIF}` } },
}

const PIECES = {
  'text/event-stream': {
    schema: {
      type: 'string',
      description: 'Events {"piece"} with parts of the text, then one with the whole reply',
    },
  },
}

const rateHeaders = {
  RateLimit: refTo('headers', 'RateLimit'),
  'RateLimit-Policy': refTo('headers', 'RateLimitPolicy'),
}

const tagHeaders = { ETag: refTo('headers', 'ETag') }
const UNCHANGED = { description: 'Unchanged since the ETag in If-None-Match' }

const pageHeaders = {
  'X-Total-Count': refTo('headers', 'TotalCount'),
  Link: refTo('headers', 'NextPage'),
}

const freeHeadersOf = ({ etag, page }: AnyProduct) => ({ ...(etag && tagHeaders), ...(page && pageHeaders) })

const paidHeaders = {
  'X-Demo-Calls-Limit': refTo('headers', 'DemoLimit'),
  'X-Demo-Calls-Remaining': refTo('headers', 'DemoRemaining'),
  'X-Holder-Calls-Limit': refTo('headers', 'HolderLimit'),
  'X-Holder-Calls-Remaining': refTo('headers', 'HolderRemaining'),
  'PAYMENT-REQUIRED': refTo('headers', 'PaymentRequired'),
  'PAYMENT-RESPONSE': refTo('headers', 'PaymentResponse'),
}

type Asked = Pick<Route, 'method' | 'preset'>

/** The example belongs to the sample; an alias that fixes other values says whose reply it shows. */
function exampleOf({ method, preset }: Asked, product: AnyProduct) {
  const differs = Object.entries(preset).some(([name, value]) => product.sample[name] !== value)
  if (!differs) return { example: product.example }
  const call = `${method} ${fillPath(product.path, product.sample)}`
  return { examples: { reply: { summary: `Reply to ${call}`, value: product.example } } }
}

function documentResponses(site: Site, document: Document<Site>): Record<string, unknown> {
  const content = document.renderings.map((rendering) => [
    rendering.mediaType,
    mediaOf(site, document, rendering),
  ])
  return {
    200: {
      description: document.summary,
      headers: tagHeaders,
      content: Object.fromEntries(content),
    },
    304: UNCHANGED,
  }
}

/** The example is of the page that the sample names. */
function pageResponses(site: Site, { sample, pages, summary }: DocumentSet<Site>): Record<string, unknown> {
  const rendering = pages[sample.page]
  const content = rendering && {
    [rendering.mediaType]: { schema: { type: 'string' }, example: rendering.example?.(site) },
  }
  return {
    200: { description: summary, headers: tagHeaders, ...(content && { content }) },
    304: UNCHANGED,
    404: refTo('responses', 'NotFound'),
  }
}

function mediaOf(site: Site, document: Document<Site>, { schema, example }: Rendering<Site>) {
  return {
    schema: schema ? inline(document.id, schema) : { type: 'string' },
    ...(example && { example: example(site) }),
  }
}
