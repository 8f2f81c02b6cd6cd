import type { IncomingMessage } from 'node:http'
import type { Catalog, Route } from '../catalog/catalog.ts'
import type { Site } from '../catalog/site.ts'
import type { Log } from '../core/log.ts'
import { ServiceError } from '../core/service-error.ts'
import { CORS, type HeaderList, preflightHeaders } from './headers.ts'
import { createNearestRoute } from './nearest-route.ts'
import { failureReply, type Reply, textReply } from './reply.ts'
import { createReadTarget } from './request/target.ts'
import type { ResponderPorts } from './respond/responder.ts'
import { createResponders } from './respond/responders.ts'
import { createRouter } from './router.ts'

/** A reply with what the log line and the CORS headers need to know of its route. */
export type Answered = { reply: Reply; route: Route | undefined; path: string; cors: HeaderList }
export type Answer = (raw: IncomingMessage, id: string, method: string) => Answered | Promise<Answered>

const NO_CORS: HeaderList = []

/** From a request to its reply; whatever fails on the way becomes a reply too, so this never throws. */
export function createAnswer(catalog: Catalog<Site>, ports: ResponderPorts & { log: Log }): Answer {
  const readTarget = createReadTarget(createRouter(catalog))
  const nearestRoute = createNearestRoute(catalog)
  const responders = createResponders(catalog, ports)

  const failed = (error: unknown, id: string, path: string, route?: Route): Answered => {
    const reply = failureReply(error, id)
    if (reply.status === 500) ports.log.error({ id, err: error }, 'request failed')
    return { reply, route, path, cors: corsOf(route) }
  }
  return (raw, id, method) => {
    let route: Route | undefined
    let logged = UNREAD
    try {
      const target = readTarget(raw.url ?? '/')
      const { routes, path } = target
      logged = target.logged
      if (routes.size === 0)
        return method === 'OPTIONS' && path === '*'
          ? optionsOf([], logged)
          : failed(notFound(path, nearestRoute(path)), id, logged)
      route = routes.get(method === 'HEAD' ? 'GET' : method)
      if (!route)
        return method === 'OPTIONS'
          ? optionsOf([...routes.values()], logged)
          : methodRefused(routes, id, logged)
      const respond = responders.get(route)
      const made = respond?.({ raw, id, method, target }) as Reply | Promise<Reply>
      const answered = (reply: Reply): Answered => ({ reply, route, path: logged, cors: corsOf(route) })
      return made instanceof Promise
        ? made.then(answered, (error) => failed(error, id, logged, route))
        : answered(made)
    } catch (error) {
      return failed(error, id, logged, route)
    }
  }
}

/** The path of a request whose address cannot be read, as the log has it. */
const UNREAD = '?'

/** Operator routes are not for pages of other origins. */
function corsOf(route: Route | undefined): HeaderList {
  return route?.endpoint.access.kind === 'operator' ? NO_CORS : CORS
}

function allowOf(routes: Iterable<Route>): string {
  const methods = [...routes].flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...methods, 'OPTIONS'].join(', ')
}

/** HEAD and OPTIONS answer too, but tell no data. */
function describeMethods(routes: Iterable<Route>): string {
  return [...routes].map(({ method }) => method).join(' or ')
}

function optionsOf(routes: readonly Route[], path: string): Answered {
  const allow = allowOf(routes)
  const isOpen = routes.some((route) => corsOf(route) === CORS)
  return {
    reply: textReply(204, '', ['Allow', allow]),
    route: undefined,
    path,
    cors: isOpen ? preflightHeaders(allow) : NO_CORS,
  }
}

function methodRefused(routes: ReadonlyMap<string, Route>, id: string, path: string): Answered {
  const allow = allowOf(routes.values())
  const reply = failureReply(
    new ServiceError('method_not_allowed', `this address offers ${allow}`, {
      hint: `call it with ${describeMethods(routes.values())}`,
    }),
    id,
  )
  const [first] = routes.values()
  return {
    reply: { ...reply, headers: [...reply.headers, 'Allow', allow] },
    route: first,
    path,
    cors: corsOf(first),
  }
}

function notFound(path: string, nearest: string | undefined): ServiceError {
  const shown = JSON.stringify(path.slice(0, 100))
  const hint = 'GET / lists every endpoint; paths are exact'
  return new ServiceError('not_found', `no endpoint at ${shown}`, {
    hint: nearest === undefined ? hint : `the nearest is ${nearest}; ${hint}`,
  })
}
