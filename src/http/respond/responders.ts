import { type Catalog, type Endpoint, isPaid, type Route } from '../../catalog/catalog.ts'
import type { Redirect } from '../../catalog/endpoints/document.ts'
import { findHandler } from '../../catalog/handlers.ts'
import type { Site } from '../../catalog/site.ts'
import { ServiceError } from '../../core/service-error.ts'
import { textReply } from '../reply.ts'
import { createFindPage, createServeDocument, type ServeDocument } from './documents.ts'
import { respondInPieces } from './in-pieces.ts'
import { limitRate } from './limit-rate.ts'
import { respondJson } from './respond-json.ts'
import { respondPage, respondPixel } from './respond-page.ts'
import { respondPaid } from './respond-paid.ts'
import { respondProtocol } from './respond-protocol.ts'
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
  const documents = createDocuments(catalog, ports.site)
  const responderOf = (route: Route<Site>): Responder => {
    const { endpoint } = route
    const respond = toResponder(route, endpoint, ports, documents)
    return endpoint.limit ? limitRate(endpoint.limit, respond, ports) : respond
  }
  return new Map<Route, Responder>(catalog.routes.map((route) => [route, responderOf(route)]))
}

function toResponder(
  route: Route,
  endpoint: Endpoint,
  ports: ResponderPorts,
  documents: Documents,
): Responder {
  switch (endpoint.kind) {
    case 'product':
      findHandler(ports.handlers.products, endpoint.id)
      if (isPaid(endpoint)) return respondPaid(route, endpoint, ports)
      return endpoint.pieces
        ? respondInPieces(endpoint.pieces, respondJson(route, endpoint, ports), ports)
        : respondJson(route, endpoint, ports)
    case 'page':
      return respondPage(route, endpoint, ports)
    case 'pixel':
      return respondPixel(route, endpoint, ports)
    case 'stream':
      return respondStream(route, endpoint, ports)
    case 'protocol':
      return respondProtocol(endpoint, ports)
    case 'document': {
      const serve = documents.find(endpoint.id)
      return ({ raw }) => serve(raw.headers.accept, raw.headers['if-none-match'])
    }
    case 'document_set': {
      const findPage = documents.findSet(endpoint.id)
      return ({ raw, target }) =>
        findPage(target.values.page ?? '')(raw.headers.accept, raw.headers['if-none-match'])
    }
    case 'redirect':
      return redirectTo(endpoint)
    default:
      throw new Error(`HTTP cannot serve a ${(endpoint satisfies never as Endpoint).kind}`)
  }
}

type Documents = { find(id: string): ServeDocument; findSet(id: string): (page: string) => ServeDocument }

/** Rendered once, also where a document has several addresses. */
function createDocuments({ endpoints }: Catalog<Site>, site: Site): Documents {
  const documents = new Map<string, ServeDocument>()
  const sets = new Map<string, (page: string) => ServeDocument>()
  for (const endpoint of endpoints) {
    if (endpoint.kind === 'document') documents.set(endpoint.id, createServeDocument(endpoint, site))
    if (endpoint.kind === 'document_set') sets.set(endpoint.id, createFindPage(endpoint, site))
  }
  return { find: (id) => findHandler(documents, id), findSet: (id) => findHandler(sets, id) }
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
