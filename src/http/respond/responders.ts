import { type Catalog, type Endpoint, isPaid, type Route } from '../../catalog/catalog.ts'
import type { Redirect } from '../../catalog/endpoints/document.ts'
import { findHandler } from '../../catalog/handlers.ts'
import type { Site } from '../../catalog/site.ts'
import { ServiceError } from '../../core/service-error.ts'
import { textReply } from '../reply.ts'
import { createServeDocument, type ServeDocument } from './documents.ts'
import { limitRate } from './limit-rate.ts'
import { respondJson } from './respond-json.ts'
import { respondPage, respondPixel } from './respond-page.ts'
import { respondPaid } from './respond-paid.ts'
import { respondStream } from './respond-stream.ts'
import type { Responder, ResponderPorts } from './responder.ts'

/** Could end the header. Node's parser refuses them too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\x00-\x1f\x7f]/

/** One responder per address, all prepared at start: a request only looks its own up. */
export function createResponders(
  catalog: Catalog<Site>,
  ports: ResponderPorts,
): ReadonlyMap<Route, Responder> {
  const serveDocument = createServeDocuments(catalog, ports.site)
  const responderOf = (route: Route<Site>): Responder => {
    const { endpoint } = route
    const respond = toResponder(route, endpoint, ports, serveDocument)
    return endpoint.limit ? limitRate(endpoint.limit, respond, ports) : respond
  }
  return new Map<Route, Responder>(catalog.routes.map((route) => [route, responderOf(route)]))
}

function toResponder(
  route: Route,
  endpoint: Endpoint,
  ports: ResponderPorts,
  serveDocument: (id: string) => ServeDocument,
): Responder {
  switch (endpoint.kind) {
    case 'product':
      findHandler(ports.handlers.products, endpoint.id)
      return isPaid(endpoint) ? respondPaid(route, endpoint, ports) : respondJson(route, endpoint, ports)
    case 'page':
      return respondPage(route, endpoint, ports)
    case 'pixel':
      return respondPixel(route, endpoint, ports)
    case 'stream':
      return respondStream(route, endpoint, ports)
    case 'document': {
      const serve = serveDocument(endpoint.id)
      return ({ raw }) => serve(raw.headers.accept, raw.headers['if-none-match'])
    }
    case 'redirect':
      return redirectTo(endpoint)
    default:
      throw new Error(`HTTP cannot serve a ${(endpoint satisfies never as Endpoint).kind}`)
  }
}

/** Rendered once, also where a document has several addresses. */
function createServeDocuments({ endpoints }: Catalog<Site>, site: Site): (id: string) => ServeDocument {
  const documents = new Map(
    endpoints
      .filter((endpoint) => endpoint.kind === 'document')
      .map((document) => [document.id, createServeDocument(document, site)]),
  )
  return (id) => findHandler(documents, id)
}

/** The query goes with it as it came: encoded anew it could be three times as long, too long for proxies. */
function redirectTo({ to }: Redirect): Responder {
  return ({ target: { rawQuery } }) => {
    if (CONTROL.test(rawQuery))
      throw new ServiceError('bad_request', 'the query has control characters: encode them')
    const location = rawQuery === '' ? to : `${to}?${rawQuery}`
    return textReply(307, '', ['Location', location, 'Cache-Control', 'public, max-age=60'])
  }
}
