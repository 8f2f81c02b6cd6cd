import type { Caller } from '../../catalog/caller.ts'
import type { Endpoint, Route } from '../../catalog/catalog.ts'
import type { AnyParams } from '../../catalog/endpoints/endpoint.ts'
import { PIXEL_GIF } from '../../catalog/endpoints/page.ts'
import { findHandler } from '../../catalog/handlers.ts'
import { NO_STORE } from '../headers.ts'
import type { Reply } from '../reply.ts'
import type { Incoming } from '../request/incoming.ts'
import { createReadRoute } from '../request/read-params.ts'
import { type Prepared, prepareReply } from './prepared.ts'
import { respondAdmitted } from './respond-admitted.ts'
import type { Responder, ResponderPorts } from './responder.ts'

type PageOrPixel = Extract<Endpoint, { kind: 'page' | 'pixel' }>

const PAGE_HEADERS = ['Content-Type', 'text/html; charset=utf-8', 'Cache-Control', NO_STORE]

/** Compressed once as long as it stays the same. */
export function respondPage(route: Route, page: PageOrPixel, ports: ResponderPorts): Responder {
  const render = findHandler(ports.handlers.pages, page.id)
  let last: { html: string; prepared: Prepared } | undefined
  return respondVisit(route, page, ports, async (params, caller, { raw }) => {
    const { html, contentSecurityPolicy } = await render(params, caller)
    if (last?.html !== html) {
      const body = Buffer.from(html)
      last = { html, prepared: prepareReply({ body, headers: PAGE_HEADERS, contentSecurityPolicy }) }
    }
    return last.prepared(raw.headers)
  })
}

/** A byte per character. */
const GIF = Buffer.from(PIXEL_GIF, 'base64').toString('latin1')
const PIXEL: Reply = {
  status: 200,
  headers: ['Content-Type', 'image/gif', 'Cache-Control', NO_STORE],
  body: GIF,
  bytes: GIF.length,
}

export function respondPixel(route: Route, pixel: PageOrPixel, ports: ResponderPorts): Responder {
  const notice = findHandler(ports.handlers.pixels, pixel.id)
  return respondVisit(route, pixel, ports, async (params, caller, incoming) => {
    if (mayBeNoticed(incoming)) await notice(params, caller)
    return PIXEL
  })
}

/** Do Not Track and Global Privacy Control; and who only asks for the head has shown the pixel to nobody. */
function mayBeNoticed({ method, raw: { headers } }: Incoming): boolean {
  return method === 'GET' && headers.dnt !== '1' && headers['sec-gpc'] !== '1'
}

type Visit = (params: AnyParams, caller: Caller | undefined, incoming: Incoming) => Promise<Reply>

function respondVisit(route: Route, endpoint: PageOrPixel, ports: ResponderPorts, visit: Visit): Responder {
  const read = createReadRoute(route, endpoint)
  return respondAdmitted(endpoint, ports, {
    read: ({ target }) => read(target.values, target.query),
    make: (params, caller, incoming) => visit(params, endpoint.caller && caller, incoming),
  })
}
