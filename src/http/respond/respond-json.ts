import type { AnyProduct, Route } from '../../catalog/catalog.ts'
import type { EncodedReply } from '../../catalog/encoded-reply.ts'
import type { AnyParams } from '../../catalog/endpoints/endpoint.ts'
import { pathNames } from '../../catalog/path.ts'
import { shorten } from '../../core/shorten.ts'
import { ageOf } from '../age.ts'
import { JSON_TYPE } from '../headers.ts'
import { type Reply, textReply } from '../reply.ts'
import { hasBody } from '../request/has-body.ts'
import type { Incoming } from '../request/incoming.ts'
import { readJsonBody } from '../request/read-body.ts'
import { besideOf, createReadPathValues, createReadRoute } from '../request/read-params.ts'
import { refuseBody } from '../request/refuse-body.ts'
import { perTarget } from '../request/target.ts'
import { createFindUnknown } from '../request/unknown-params.ts'
import { issuesOf, ValidationError } from '../request/validation.ts'
import { etagOf, isKnown } from './etag.ts'
import { pageHeaders } from './page-headers.ts'
import { respondAdmitted } from './respond-admitted.ts'
import type { Responder, ResponderPorts } from './responder.ts'

/** A product that is not for sale: the caller is let in first, then the request is read. */
export function respondJson(route: Route, product: AnyProduct, ports: ResponderPorts): Responder {
  const { replies } = ports
  const toReply = createToReply(product, ports)
  const paramsOf = createParamsOf(route, product)
  // Most calls are of this kind, and answered without waiting for anything.
  if (product.access.kind === 'free' && !product.caller)
    return (incoming) => {
      const params = paramsOf(incoming)
      const answer = (reply: EncodedReply) => toReply(reply, incoming)
      if (params instanceof Promise)
        return params.then(async (read) => answer(await replies.reply(product, read)))
      const made = replies.reply(product, params)
      return made instanceof Promise ? made.then(answer) : answer(made)
    }
  return respondAdmitted(product, ports, {
    read: paramsOf,
    make: async (params, caller, incoming) => {
      const csv = wantsCsv(params, incoming) ? product.csv : undefined
      // The handler hears of the header as of the param: a table may be longer.
      const made = await replies.reply(product, csv ? { ...params, format: 'csv' } : params, caller)
      const reply = csv ? csvReply(csv, made) : toReply(made, incoming)
      const headers = [...reply.headers, ...pageHeaders(product, made, incoming.target)]
      return { ...reply, headers, ...(product.signer && { wallet: shorten(product.signer(params)) }) }
    },
  })
}

/** The param says it for people, who choose no headers. */
const wantsCsv = ({ format }: AnyParams, { raw }: Incoming) =>
  format === 'csv' || /^\s*text\/csv\b/i.test(raw.headers.accept ?? '')

function csvReply({ fileName, toText }: NonNullable<AnyProduct['csv']>, { text }: EncodedReply): Reply {
  const headers = ['Content-Type', 'text/csv; charset=utf-8', 'Cache-Control', 'no-store', 'Vary', 'Accept']
  const file = ['Content-Disposition', `attachment; filename="${fileName}"`]
  return textReply(200, toText(JSON.parse(text)), [...headers, ...file])
}

function createToReply(product: AnyProduct, { clock }: ResponderPorts) {
  const head = ['Content-Type', JSON_TYPE, 'Cache-Control', product.cacheControl ?? 'no-store']
  const tagOf = createTagOf(product)
  return (made: EncodedReply, { raw }: Incoming): Reply => {
    const { text, bytes, asOfMs, isOutage } = made
    const atMs = clock.now()
    const etag = isOutage ? undefined : tagOf?.(made)
    const isUnchanged = etag !== undefined && isKnown(raw.headers['if-none-match'], etag)
    const status = isOutage ? 503 : isUnchanged ? 304 : 200
    const headers = etag === undefined ? head : [...head, 'ETag', etag]
    if (isUnchanged) return { status, headers: headers.slice(2), body: '', bytes: 0 }
    // A cache counts Age as time that it has kept the reply: data older than max-age would never be cached.
    if (asOfMs === undefined || product.cacheControl !== undefined)
      return { status, headers, body: text, bytes }
    return { status, headers: [...headers, 'Age', ageOf(asOfMs, atMs)], body: text, bytes }
  }
}

/** The tag of a reply, worked out once for as long as the reply is shared; undefined where none is declared. */
function createTagOf({ etag }: AnyProduct): ((made: EncodedReply) => string) | undefined {
  if (!etag) return undefined
  const known = new WeakMap<EncodedReply, string>()
  return (made) => {
    const tag = known.get(made) ?? etagOf(made.text)
    known.set(made, tag)
    return tag
  }
}

function createParamsOf(
  route: Route,
  product: AnyProduct,
): (incoming: Incoming) => AnyParams | Promise<AnyParams> {
  if (product.paramsIn === 'body') return createBodyParamsOf(route, product)
  const read = createReadRoute(route, product)
  // Parsed params are shared between equal GETs, never between POSTs.
  if (product.method === 'POST') {
    const isGuarded = product.access.kind === 'operator'
    return ({ raw, target }) => {
      const params = read(target.values, target.query)
      return isGuarded && hasBody(raw) ? refuseBody(raw).then(() => params) : params
    }
  }
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
    return parseBody(product, ofPath(target.values), await readJsonBody(raw, product.bodyBytes))
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
