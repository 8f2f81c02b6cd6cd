import type { AnyProduct, Route } from '../../catalog/catalog.ts'
import type { EncodedReply } from '../../catalog/encoded-reply.ts'
import type { AnyParams } from '../../catalog/endpoints/endpoint.ts'
import { pathNames } from '../../catalog/path.ts'
import { ageOf } from '../age.ts'
import { JSON_TYPE } from '../headers.ts'
import type { Reply } from '../reply.ts'
import type { Incoming } from '../request/incoming.ts'
import { readJsonBody } from '../request/read-body.ts'
import { besideOf, createReadPathValues, createReadRoute } from '../request/read-params.ts'
import { perTarget } from '../request/target.ts'
import { createFindUnknown } from '../request/unknown-params.ts'
import { issuesOf, ValidationError } from '../request/validation.ts'
import { createAdmit } from './admit.ts'
import type { Responder, ResponderPorts } from './responder.ts'

/** A product that is not for sale: the caller is let in first, then the request is read. */
export function respondJson(route: Route, product: AnyProduct, ports: ResponderPorts): Responder {
  const { replies } = ports
  const toReply = createToReply(product, ports)
  const admit = createAdmit(product, ports)
  const paramsOf = createParamsOf(route, product)
  // Most calls are of this kind, and answered without waiting for anything.
  if (product.access.kind === 'free' && !product.caller)
    return (incoming) => {
      const params = paramsOf(incoming)
      if (params instanceof Promise) return params.then((read) => replies.reply(product, read)).then(toReply)
      const made = replies.reply(product, params)
      return made instanceof Promise ? made.then(toReply) : toReply(made)
    }
  return async (incoming) => {
    const caller = await admit(incoming.raw)
    return toReply(await replies.reply(product, await paramsOf(incoming), caller))
  }
}

function createToReply(product: AnyProduct, { clock, usage }: ResponderPorts) {
  const head = ['Content-Type', JSON_TYPE, 'Cache-Control', product.cacheControl ?? 'no-store']
  return ({ text, bytes, asOfMs, isOutage }: EncodedReply): Reply => {
    const atMs = clock.now()
    const status = isOutage ? 503 : 200
    if (product.access.kind === 'free') usage.record({ atMs, productId: product.id, via: 'free', status })
    const headers = asOfMs === undefined ? head : [...head, 'Age', ageOf(asOfMs, atMs)]
    return { status, headers, body: text, bytes }
  }
}

function createParamsOf(
  route: Route,
  product: AnyProduct,
): (incoming: Incoming) => AnyParams | Promise<AnyParams> {
  if (product.paramsIn === 'body') return createBodyParamsOf(route, product)
  const read = createReadRoute(route, product)
  // Parsed params are shared between equal GETs, never between POSTs.
  if (product.method === 'POST') return ({ target }) => read(target.values, target.query)
  const ofTarget = perTarget(({ values, query }) => read(values, query))
  return ({ target }) => ofTarget(target)
}

function createBodyParamsOf({ path, preset }: Route, product: AnyProduct) {
  const ofPath = createReadPathValues({ schema: product.params, inPath: pathNames(path), preset })
  const beside = besideOf(product.access)
  const findUnknown = beside && createFindUnknown([], beside)
  return async ({ raw, target }: Incoming): Promise<AnyParams> => {
    const unknown = findUnknown?.(target.query) ?? []
    if (unknown.length > 0) throw new ValidationError(unknown)
    return parseBody(product, ofPath(target.values), await readJsonBody(raw))
  }
}

/** What is posted comes as one JSON object; what the path says cannot be said otherwise there. */
function parseBody(product: AnyProduct, fromPath: object, body: unknown): AnyParams {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  const parsed = parseAny(product, isObject ? { ...body, ...fromPath } : body)
  if (parsed.success) return parsed.data
  throw new ValidationError(issuesOf(parsed.error, (name) => (name in fromPath ? 'path' : 'body')))
}

/** A bound on a length throws where somebody sends an object whose `length` cannot be compared. */
function parseAny({ params }: AnyProduct, body: unknown) {
  try {
    return params.safeParse(body)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const msg = 'holds an object with a length where a text or a list belongs'
    throw new ValidationError([{ loc: ['body'], msg, type: 'value_error' }])
  }
}
