import type { ClientKey } from '../../access/client-key.ts'
import { type Catalog, isPaid, type Route } from '../../catalog/catalog.ts'
import type { Redirect, Site } from '../../catalog/document.ts'
import type { EncodedReply, Replies } from '../../catalog/encoded-reply.ts'
import type { AnyProduct } from '../../catalog/endpoint.ts'
import { pathNames } from '../../catalog/path.ts'
import type { Clock } from '../../core/clock.ts'
import type { UsageLog } from '../../ledger/ports/usage-log.ts'
import type { Gate } from '../../payments/gate/gate.ts'
import { ageOf } from '../age.ts'
import { JSON_TYPE } from '../headers.ts'
import { type Reply, textReply } from '../reply.ts'
import type { Incoming } from '../request/incoming.ts'
import { readJsonBody } from '../request/read-body.ts'
import { createReadParams } from '../request/read-params.ts'
import { perTarget } from '../request/target.ts'
import { issuesOf, ValidationError } from '../request/validation.ts'
import { createServeDocument } from './documents.ts'
import { respondPaid } from './respond-paid.ts'

export type Responder = (incoming: Incoming) => Reply | Promise<Reply>
export type ResponderPorts = {
  clock: Clock
  site: Site
  replies: Replies
  gate: Gate
  clientKey: ClientKey
  usage: Pick<UsageLog, 'record'>
}

/** One responder per address, all prepared at start: a request only looks its own up. */
export function createResponders(catalog: Catalog, ports: ResponderPorts): ReadonlyMap<Route, Responder> {
  const documents = new Map(
    catalog.endpoints
      .filter((endpoint) => endpoint.kind === 'document')
      .map((document) => [document.id, createServeDocument(document, ports.site)]),
  )
  const responderOf = (route: Route): Responder => {
    const { endpoint } = route
    if (endpoint.kind === 'redirect') return redirectTo(endpoint)
    if (endpoint.kind === 'product')
      return isPaid(endpoint) ? respondPaid(route, endpoint, ports) : respondFree(route, endpoint, ports)
    const serve = documents.get(endpoint.id)
    if (!serve) throw new Error(`${endpoint.id} was not rendered`)
    return ({ raw }) => serve(raw.headers.accept, raw.headers['if-none-match'])
  }
  return new Map(catalog.routes.map((route) => [route, responderOf(route)]))
}

function redirectTo({ to }: Redirect): Responder {
  const reply = textReply(307, '', ['Location', to, 'Cache-Control', 'public, max-age=60'])
  return () => reply
}

function respondFree(route: Route, product: AnyProduct, ports: ResponderPorts): Responder {
  const { clock, replies, usage } = ports
  const head = ['Content-Type', JSON_TYPE, 'Cache-Control', product.cacheControl ?? 'no-store']
  const toReply = ({ text, bytes, asOfMs, isOutage }: EncodedReply): Reply => {
    const atMs = clock.now()
    const status = isOutage ? 503 : 200
    usage.record({ atMs, productId: product.id, via: 'free', status })
    const headers = asOfMs === undefined ? head : [...head, 'Age', ageOf(asOfMs, atMs)]
    return { status, headers, body: text, bytes }
  }
  if (product.method === 'POST')
    return async ({ raw }) =>
      toReply(await replies.reply(product, parseBody(product, await readJsonBody(raw))))
  const read = createReadParams({
    schema: product.params,
    inPath: pathNames(route.path),
    preset: route.preset,
  })
  const paramsOf = perTarget(({ values, query }) => read(values, query))
  return ({ target }) => {
    const made = replies.reply(product, paramsOf(target))
    return made instanceof Promise ? made.then(toReply) : toReply(made)
  }
}

/** What is posted comes as one JSON object. */
function parseBody(product: AnyProduct, body: unknown): Record<string, unknown> {
  const parsed = product.params.safeParse(body)
  if (parsed.success) return parsed.data
  throw new ValidationError(issuesOf(parsed.error, () => 'body'))
}
