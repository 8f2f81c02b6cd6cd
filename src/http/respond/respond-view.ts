import type { Site } from '../../catalog/site.ts'
import { createBoundedCache } from '../../core/bounded-cache.ts'
import { PAGE_POLICY } from '../../pages/frame/shell.ts'
import type { View } from '../../pages/view.ts'
import { NO_STORE } from '../headers.ts'
import type { Reply } from '../reply.ts'
import type { Incoming } from '../request/incoming.ts'
import { wantsPage } from '../request/wants-page.ts'
import { type Prepared, prepareReply } from './prepared.ts'
import type { Responder } from './responder.ts'

const HTML = 'text/html'

/** The same address for people and programs: browsers get the page, everybody else the JSON. */
export function respondView(view: View, respond: Responder, site: Site): Responder {
  const show = createShow(view, respond, site)
  return (incoming) => {
    if (isForPerson(incoming)) return show(incoming)
    const reply = respond(incoming)
    return reply instanceof Promise ? reply.then(varied) : varied(reply)
  }
}

/** Who sends a credential wants what it opens. */
function isForPerson({ raw: { headers } }: Incoming): boolean {
  return headers.authorization === undefined && wantsPage(headers)
}

function createShow(view: View, respond: Responder, site: Site): Responder {
  if (view.kind === 'shell') return createShowShell(view.render, site)
  const { renderClosed } = view
  return renderClosed && isClosed(site, view.id)
    ? createShowShell(renderClosed, site)
    : createShowReply(view, respond, site)
}

/** Free elsewhere, and for the operator in this installation. */
const isClosed = ({ catalog }: Site, id: string): boolean =>
  catalog.endpoints.some((endpoint) => endpoint.id === id && endpoint.access.kind === 'operator')

function createShowShell(render: (site: Site) => string, site: Site): Responder {
  let prepared: Prepared | undefined
  return ({ raw }) => {
    prepared ??= prepare(render(site), 'public, max-age=60')
    return prepared(raw.headers)
  }
}

/** Params make a few replies at a time, such as a coin each; pages of others are made anew. */
const PAGES_KEPT = 16

/** A page is made once for each reply. */
function createShowReply(view: View & { kind: 'reply' }, respond: Responder, site: Site): Responder {
  const made = createBoundedCache<string, Prepared>({ capacity: PAGES_KEPT })
  const pageOf = (body: string): Prepared => {
    const known = made.get(body)
    if (known) return known
    const page = prepare(view.render(site, JSON.parse(body)), NO_STORE)
    made.set(body, page)
    return page
  }
  return async (incoming) => {
    const reply = await respond(incoming)
    if (!isShown(reply)) return reply
    const page = await pageOf(reply.body)(incoming.raw.headers)
    return page.status === 304 ? page : { ...page, status: reply.status }
  }
}

/** An outage is told by the page too; any other failure has its own. */
const isShown = ({ status, body, code }: Reply): boolean =>
  (status === 200 || status === 503) && code === undefined && body.startsWith('{')

/** Among these pages are those where a key or a wallet is used: a page that opened one cannot put another in its place. */
const OWN_WINDOW = ['Cross-Origin-Opener-Policy', 'same-origin-allow-popups']

function prepare(page: string, cacheControl: string): Prepared {
  return prepareReply({
    body: Buffer.from(page),
    headers: ['Content-Type', `${HTML}; charset=utf-8`, 'Cache-Control', cacheControl, ...OWN_WINDOW],
    contentSecurityPolicy: PAGE_POLICY,
    vary: 'Accept, Authorization',
    isShortLived: cacheControl === NO_STORE,
  })
}

const varied = (reply: Reply): Reply => ({
  ...reply,
  headers: [...reply.headers, 'Vary', 'Accept, Authorization'],
})
