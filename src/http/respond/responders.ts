import { type Catalog, type Endpoint, isPaid, type Route } from '../../catalog/catalog.ts'
import type { Redirect } from '../../catalog/endpoints/document.ts'
import { findHandler } from '../../catalog/handlers.ts'
import type { Site } from '../../catalog/site.ts'
import { ServiceError } from '../../core/service-error.ts'
import { views } from '../../pages/views.ts'
import { textReply } from '../reply.ts'
import { type CheckHost, createCheckHost } from '../request/own-host.ts'
import { createServeDocument, createServePages, type ServeDocument, type ServePages } from './documents.ts'
import { respondInPieces } from './in-pieces.ts'
import { limitRate } from './limit-rate.ts'
import { isOfOperator } from './other-method.ts'
import { respondJson } from './respond-json.ts'
import { respondPage, respondPixel } from './respond-page.ts'
import { respondPaid } from './respond-paid.ts'
import { respondProtocol } from './respond-protocol.ts'
import { respondStream } from './respond-stream.ts'
import { respondView } from './respond-view.ts'
import type { Responder, ResponderPorts } from './responder.ts'

const nextTurn = () => new Promise<void>((resume) => setImmediate(resume))

/** Could end the header. Node's parser refuses them too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\x00-\x1f\x7f]/

export type Responders = {
  find(route: Route): Responder | undefined
  /** Makes the documents that nobody asked for yet, with room for requests between them. */
  prepareDocuments(): Promise<void>
}

/** One responder per address, all made at start: a request only looks its own up. */
export function createResponders(catalog: Catalog<Site>, ports: ResponderPorts): Responders {
  const documents = createDocuments(catalog, ports.site)
  const checkHost = createCheckHost(ports.site)
  const ownResponderOf = (route: Route<Site>): Responder => {
    const { endpoint } = route
    const respond = toResponder(route, endpoint, ports, documents)
    const limited = endpoint.limit ? limitRate(endpoint.limit, respond, ports) : respond
    const isForOwnPages = endpoint.kind === 'product' && endpoint.ownPagesOnly
    return isForOwnPages ? toOwnPages(checkHost, limited) : limited
  }
  const responderOf = (route: Route<Site>): Responder => {
    const { endpoint } = route
    const view = views.get(endpoint.id)
    // The page itself is no secret, and asks for the key.
    const respond = ports.passOn && isOfOperator(route) ? ports.passOn : ownResponderOf(route)
    return view ? respondView(view, respond, ports.site) : respond
  }
  const responders = new Map<Route, Responder>(catalog.routes.map((route) => [route, responderOf(route)]))
  return { find: (route) => responders.get(route), prepareDocuments: documents.prepare }
}

/** Checked before it is counted: another site must not use up what the visitor may send either. */
const toOwnPages = (checkHost: CheckHost, respond: Responder): Responder => {
  return (incoming) => {
    checkHost(incoming.raw.headers)
    return respond(incoming)
  }
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
      return ({ raw }) => serve(raw.headers)
    }
    case 'document_set': {
      const pages = documents.findSet(endpoint.id)
      return ({ raw, target }) => pages.find(target.values.page ?? '')(raw.headers)
    }
    case 'redirect':
      return redirectTo(endpoint)
    default:
      throw new Error(`HTTP cannot serve a ${(endpoint satisfies never as Endpoint).kind}`)
  }
}

type Documents = {
  find(id: string): ServeDocument
  findSet(id: string): ServePages
  prepare(): Promise<void>
}

/** Rendered once, also where a document has several addresses. */
function createDocuments({ endpoints }: Catalog<Site>, site: Site): Documents {
  const documents = new Map<string, ServeDocument>()
  const sets = new Map<string, ServePages>()
  for (const endpoint of endpoints) {
    if (endpoint.kind === 'document') documents.set(endpoint.id, createServeDocument(endpoint, site))
    if (endpoint.kind === 'document_set') sets.set(endpoint.id, createServePages(endpoint, site))
  }
  return {
    find: (id) => findHandler(documents, id),
    findSet: (id) => findHandler(sets, id),
    async prepare() {
      for (const document of [...documents.values(), ...[...sets.values()].flatMap(({ all }) => all)]) {
        document.prepare()
        await nextTurn()
      }
    },
  }
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
