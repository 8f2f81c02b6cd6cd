import type { IncomingMessage } from 'node:http'
import type { Catalog, Route } from '../catalog/catalog.ts'
import type { Site } from '../catalog/site.ts'
import { ServiceError } from '../core/service-error.ts'
import { hasPaymentHeader } from '../payments/read/payment-header.ts'
import { CORS, type HeaderList, preflightHeaders } from './headers.ts'
import { createNearestRoute, describeRoute } from './nearest-route.ts'
import { failureReply, type Reply } from './reply.ts'
import { lacksHost } from './request/lacks-host.ts'
import { createReadTarget } from './request/target.ts'
import { createServeAsset } from './respond/assets.ts'
import { asFailurePage } from './respond/failure-page-reply.ts'
import { isMissingPage, missingPageReply } from './respond/missing-page.ts'
import { allowOf, isOfOperator, respondOther, tellMethods } from './respond/other-method.ts'
import type { ResponderPorts } from './respond/responder.ts'
import { createResponders } from './respond/responders.ts'
import { createRouter } from './router.ts'

/** A reply with what the log line and the CORS headers need to know of its route. */
export type Answered = { reply: Reply; route: Route | undefined; path: string; cors: HeaderList }
export type Answer = {
  (raw: IncomingMessage, id: string, method: string): Answered | Promise<Answered>
  prepareDocuments(): Promise<void>
}

type Asked = { raw: IncomingMessage; id: string; nearest?: Route | undefined }

const NO_CORS: HeaderList = []

/** From a request to its reply; whatever fails on the way becomes a reply too, so this never throws. */
export function createAnswer(catalog: Catalog<Site>, ports: ResponderPorts): Answer {
  const readTarget = createReadTarget(createRouter(catalog))
  const nearestRoute = createNearestRoute(catalog)
  const responders = createResponders(catalog, ports)
  const serveAsset = createServeAsset()

  const failed = (error: unknown, asked: Asked, path: string, route?: Route): Answered => {
    const { raw, id } = asked
    const reply = isMissingPage(error, route)
      ? missingPageReply(ports.site, error, { id, accept: raw.headers.accept })
      : failureReply(error, id, isPaying(raw, route))
    if (reply.status === 500) ports.log.error({ id, err: error }, 'request failed')
    return answered(asked, reply, path, route)
  }
  const answered = (asked: Asked, reply: Reply, path: string, route?: Route): Answered => {
    const shown = reply.status < 400 ? reply : asFailurePage(reply, { ...asked, route }, ports.site)
    return { reply: shown, route, path, cors: corsOf(route) }
  }
  const answer = (raw: IncomingMessage, id: string, method: string): Answered | Promise<Answered> => {
    const asked = { raw, id }
    let route: Route | undefined
    let logged = UNREAD
    try {
      if (lacksHost(raw)) throw noHost()
      const target = readTarget(raw.url ?? '/')
      const { routes, path } = target
      logged = target.logged
      const isPreflight = method === 'OPTIONS' && (path === '*' || [...routes.values()].some(isOpen))
      if (isPreflight) return answerPreflight([...routes.values()], logged)
      const isRead = method === 'GET' || method === 'HEAD'
      const asset = routes.size === 0 && isRead && serveAsset(path, target.rawQuery, raw.headers)
      if (asset) return answerAsset(asset, logged)
      if (routes.size === 0) {
        const nearest = nearestRoute(path)
        return failed(notFound(path, nearest), { ...asked, nearest }, logged)
      }
      const incoming = { raw, id, method, target }
      const offered = routes.get(method === 'HEAD' ? 'GET' : method)
      route = offered ?? [...routes.values()][0]
      const respond = offered && responders.find(offered)
      const made = respond ? respond(incoming) : respondOther(incoming, ports)
      return made instanceof Promise
        ? made
            .then((reply) => answered(asked, reply, logged, route))
            .catch((error) => failed(error, asked, logged, route))
        : answered(asked, made, logged, route)
    } catch (error) {
      return failed(error, asked, logged, route)
    }
  }
  return Object.assign(answer, { prepareDocuments: responders.prepareDocuments })
}

async function answerAsset(asset: Reply | Promise<Reply>, path: string): Promise<Answered> {
  return { reply: await asset, route: undefined, path, cors: CORS }
}

/** Where money may have moved, whatever broke afterwards. */
const isPaying = ({ method, headers }: IncomingMessage, route: Route | undefined) =>
  method !== 'HEAD' && route?.endpoint.access.kind === 'paid' && hasPaymentHeader(headers)

/** The path of a request whose address cannot be read, as the log has it. */
const UNREAD = '?'

const isOpen = (route: Route) => !isOfOperator(route)

function corsOf(route: Route | undefined): HeaderList {
  return isOfOperator(route) ? NO_CORS : CORS
}

/** `OPTIONS *` asks about no address. */
function answerPreflight(routes: readonly Route[], path: string): Answered {
  const reply = tellMethods(routes, { method: 'OPTIONS', id: '' })
  const cors = routes.length > 0 ? preflightHeaders(allowOf(routes.filter(isOpen))) : NO_CORS
  return { reply, route: undefined, path, cors }
}

function notFound(path: string, nearest: Route | undefined): ServiceError {
  const shown = JSON.stringify(path.slice(0, 100))
  const hint = 'GET / lists every endpoint; paths are exact'
  return new ServiceError('not_found', `no endpoint at ${shown}`, {
    hint: nearest === undefined ? hint : `the nearest is ${describeRoute(nearest)}; ${hint}`,
  })
}

const noHost = () => new ServiceError('bad_request', 'a request of HTTP/1.1 names its host')
