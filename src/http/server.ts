import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Catalog, Route } from '../catalog/catalog.ts'
import type { Site } from '../catalog/site.ts'
import type { CallVia } from '../core/log.ts'
import type { UsageLog } from '../ledger/ports/usage-log.ts'
import { type Answer, type Answered, createAnswer } from './answer.ts'
import { type Aside, answerAside } from './aside.ts'
import { type ConnectionPorts, limitConnections } from './connection/connection-limits.ts'
import type { CountCutOff } from './connection/cut-offs.ts'
import { inSlices } from './connection/in-slices.ts'
import { oneAtATime } from './connection/one-at-a-time.ts'
import { ownerOf } from './connection/owner-of.ts'
import { refuseUnread } from './connection/refuse-unread.ts'
import { createReplyWatch } from './connection/reply-watch.ts'
import { sendBody } from './connection/send-body.ts'
import { noteComer } from './connection/turns.ts'
import { createCountCall } from './count-call.ts'
import { commonHeaders, type HeaderList, NOTHING_ALLOWED } from './headers.ts'
import type { Reply } from './reply.ts'
import { createRequestIds } from './request/incoming.ts'
import { lacksHost } from './request/lacks-host.ts'
import { dropBody, limitPieces } from './request/limit-pieces.ts'
import type { RequestTrace, TraceRequest } from './request-trace.ts'
import type { ResponderPorts } from './respond/responder.ts'

/** Cuts off slow clients; the header limit leaves room for the largest payment. */
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
  // Node would answer such a request itself, past all that stands before ours: `answer.ts` refuses it.
  requireHostHeader: false,
}

/** How a request went; `endpoint` is absent where no endpoint has its address. */
export type ObserveCall = (endpoint: string | undefined, status: number, ms: number) => void

export type HttpPorts = ResponderPorts & {
  bootId: string
  usage: Pick<UsageLog, 'record'>
  /** A client as the log may keep it. */
  hashedClient: (client: string) => string
  countCutOff: CountCutOff
  /** What the operator's own machines ask. */
  aside?: Aside
  observeCall?: ObserveCall | undefined
  /** Undefined where nothing is traced. */
  traceRequest?: TraceRequest | undefined
}

export function createHttpServer(ports: ConnectionPorts): Server {
  const server = createServer(LIMITS)
  // Whoever ends his side after his request waits for the reply. Node has this switch, and no option for it.
  Object.assign(server, { httpAllowHalfOpen: true })
  limitConnections(server, ports)
  server.on('connection', noteComer)
  server.on('connection', (socket) => inSlices(socket, ownerOf(socket, ports.peerOf(socket))))
  server.on('request', limitPieces)
  server.on('request', (request, response) => {
    // Node throws away what it has read behind a request that would change the protocol.
    if (lacksHost(request) || request.headers.upgrade !== undefined) response.shouldKeepAlive = false
  })
  // For the same reason: whoever expects what we do not know is served as if he expected nothing.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('clientError', (error, socket) => refuseUnread(error, socket as Socket, ports.clock))
  return server
}

/** Catalog and gate as HTTP: every reply of the service leaves through here. */
export function serveCatalog(
  server: Server,
  catalog: Catalog<Site>,
  ports: HttpPorts,
): Pick<Answer, 'prepareDocuments'> {
  const answer = createAnswer(catalog, ports)
  const requestId = createRequestIds(ports.bootId)
  const countCall = createCountCall(ports)
  const common = commonHeaders(ports.site.mode, ports.site.baseUrl)
  const watch = createReplyWatch(ports.clock, () => ports.countCutOff('not_reading'))

  const finish = ({ method, response, id, client, startedAt, trace }: Call, answered: Answered) => {
    const { reply, route, path, cors } = answered
    const headers = [...reply.headers, ...common, ...cors, 'X-Request-Id', id]
    headers.push('Content-Security-Policy', reply.contentSecurityPolicy ?? NOTHING_ALLOWED)
    const hasLength = reply.status !== 304 && reply.status !== 204 && !reply.stream
    if (hasLength) headers.push('Content-Length', String(reply.bytes))
    // A stream ends with its connection: without the framing of chunks an event costs one write.
    if (reply.stream) response.useChunkedEncodingByDefault = false
    response.writeHead(reply.status, headers)
    dropBody(response.req)
    if (reply.onSent) onceSent(response, reply.onSent)
    if (reply.stream && method !== 'HEAD') reply.stream(response)
    else {
      const isTaken = sendBody(response, method === 'HEAD' ? NO_BODY : reply)
      if (!isTaken) watch(response, reply.bytes)
    }
    const ms = Math.round((performance.now() - startedAt) * 1000) / 1000
    if (route) countCall({ product: route.endpoint, status: reply.status, via: reply.via, ms })
    const product = route?.endpoint.id
    ports.observeCall?.(product, reply.status, ms)
    const via = reply.via ?? viaOf(route, reply.status)
    trace?.end({ route, status: reply.status, via, code: reply.code })
    ports.log.request({
      id,
      method,
      path,
      product,
      via,
      payer: reply.payer,
      client,
      status: reply.status,
      code: reply.code,
      cause: reply.cause,
      wallet: reply.wallet,
      ms,
      trace_id: trace?.id,
    })
  }
  const sendAside = createSendAside(common, watch)
  const begin = (raw: IncomingMessage, response: ServerResponse) => {
    const startedAt = performance.now()
    const { method = 'GET' } = raw
    const id = requestId(raw)
    const beside = answerAside(ports.aside ?? NOTHING_ASIDE, raw, id)
    if (beside instanceof Promise) return void beside.then((reply) => sendAside(raw, response, id, reply))
    if (beside) return sendAside(raw, response, id, beside)
    const trace = ports.traceRequest?.(raw, method)
    // Asked now: a request whose body was refused has lost its socket by the time of its reply.
    const call = { method, response, id, client: ports.hashedClient(ports.clientKey(raw)), startedAt, trace }
    const answered = trace ? trace.run(() => answer(raw, id, method)) : answer(raw, id, method)
    if (answered instanceof Promise) answered.then((made) => finish(call, made))
    else finish(call, answered)
  }
  server.on(
    'request',
    oneAtATime(begin, () => ports.countCutOff('too_many_waiting')),
  )
  return { prepareDocuments: answer.prepareDocuments }
}

/** Who has ended his side may wait for the reply, or has gone: nobody knows whether it came. */
function onceSent(response: ServerResponse, onSent: () => void): void {
  const { socket } = response.req
  response.once('finish', () => {
    if (!socket.readableEnded) onSent()
  })
}

const createSendAside =
  (common: HeaderList, watch: ReturnType<typeof createReplyWatch>) =>
  (raw: IncomingMessage, response: ServerResponse, id: string, reply: Reply) => {
    const headers = [...reply.headers, ...common, 'X-Request-Id', id, 'Content-Length', String(reply.bytes)]
    response.writeHead(reply.status, headers)
    dropBody(raw)
    const isTaken = sendBody(response, raw.method === 'HEAD' ? NO_BODY : reply)
    if (!isTaken) watch(response, reply.bytes)
  }

const NO_BODY = { body: '', bytes: 0 }
const NOTHING_ASIDE: Aside = new Map()

type Call = {
  method: string
  response: ServerResponse
  id: string
  client: string
  startedAt: number
  trace: RequestTrace | undefined
}

const VIA = { free: 'free', operator: 'operator', wallet: 'free', payer: 'free', paid: undefined } as const

/** What is not for sale is let in by its access alone; what is, says so itself. */
function viaOf(route: Route | undefined, status: number): CallVia | undefined {
  return route && status < 400 ? VIA[route.endpoint.access.kind] : undefined
}
