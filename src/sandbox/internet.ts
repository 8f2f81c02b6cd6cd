import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Clock } from '../core/clock.ts'
import type { SimulatedMarket } from './market/simulated-market.ts'
import { createBinance } from './providers/binance/binance.ts'
import { createCoinbase } from './providers/coinbase/coinbase.ts'
import { createPeers, type Peers, type Tamper } from './providers/peers.ts'
import { type Credentials, createPolybolt } from './providers/polybolt/polybolt.ts'
import type { Service } from './providers/service.ts'

/** The outside world on one loopback port, every provider below a path of its own. */
export type Internet = {
  /** Named like the upstreams of the configuration. */
  urls: Readonly<Record<'BINANCE' | 'BINANCE_WS' | 'COINBASE' | 'COINBASE_WS' | 'POLY_LIVE_WS', string>>
  /** What the live price feed accepts; made up at every start. */
  credentials: Credentials
  /** Moves the market in steps and waits after each until every client has read it. */
  advanceTo(ms: number, stepMs?: number): Promise<void>
  /** Resolves once every connected client has read all that was sent so far. */
  drained(): Promise<void>
  /** Cuts the connections of one provider (`binance`, `coinbase`, `polybolt`), or all. */
  disconnectAll(provider?: string): void
  close(): Promise<void>
}

export type InternetInput = {
  market: SimulatedMarket
  clock: Clock
  host?: string
  port?: number
  tamper?: Tamper
  /** Moves the market with the clock. Without it, time passes through `advanceTo` only. */
  realTime?: boolean
}

const DRIVE_EVERY_MS = 100
/** After a pause of the machine the market catches up in pieces, so that requests are still served. */
const MAX_CATCH_UP_MS = 5_000
const MAX_FRAME_BYTES = 64 * 1024
const MAX_CONNECTIONS = 500
const DEFAULT_STEP_MS = 10_000

export async function startInternet(input: InternetInput): Promise<Internet> {
  const { market, clock, host = '127.0.0.1', port = 0 } = input
  const peers = createPeers(input.tamper)
  const credentials = { apiKey: randomUUID(), secret: randomUUID(), passphrase: randomUUID() }
  const services = [createBinance(market), createCoinbase(market), createPolybolt(market, credentials)]
  const server = createServer((request, response) => answer(services, request, response))
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES })
  server.on('upgrade', (request, socket, head) =>
    upgrade({ services, peers, sockets }, request, socket, head),
  )
  const base = await listen(server, host, port)
  const stops = [
    ...services.map(({ close }) => close),
    ...services.map(({ name, pingEveryMs }) =>
      pingEveryMs === undefined ? () => {} : clock.every(pingEveryMs, () => peers.ping(name)),
    ),
    input.realTime ? drive(market, clock) : () => {},
  ]
  return {
    urls: {
      BINANCE: `http://${base}/binance`,
      BINANCE_WS: `ws://${base}/binance`,
      COINBASE: `http://${base}/coinbase`,
      COINBASE_WS: `ws://${base}/coinbase`,
      POLY_LIVE_WS: `ws://${base}/polybolt/ws`,
    },
    credentials,
    async advanceTo(ms, stepMs = DEFAULT_STEP_MS) {
      for (let atMs = market.nowMs(); atMs < ms; ) {
        atMs = Math.min(ms, atMs + stepMs)
        market.advanceTo(atMs)
        await peers.drained()
      }
    },
    drained: peers.drained,
    disconnectAll: peers.disconnectAll,
    async close() {
      for (const stop of stops) stop()
      peers.disconnectAll()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function answer(services: readonly Service[], request: IncomingMessage, response: ServerResponse): void {
  const { service, path, url } = route(services, request)
  const reply = request.method === 'GET' ? service?.rest(path, url.searchParams) : undefined
  const { status, body, headers } = reply ?? { status: 404, body: { message: 'NotFound' } }
  const type = { server: 'sandbox', 'content-type': 'application/json;charset=UTF-8' }
  response.writeHead(status, { ...type, ...headers })
  response.end(JSON.stringify(body))
}

type World = { services: readonly Service[]; peers: Peers; sockets: WebSocketServer }

function upgrade(
  { services, peers, sockets }: World,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  // Until the handshake is over nobody else listens, and an unheard error would end the process.
  socket.on('error', () => socket.destroy())
  const { service, path, url } = route(services, request)
  const accept = service?.socketAt(path)
  const isFull = peers.count >= MAX_CONNECTIONS
  if (!service || !accept || isFull) {
    const status = isFull ? '503 Service Unavailable' : '404 Not Found'
    socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
    return
  }
  sockets.handleUpgrade(request, socket, head, (client) => accept(peers.add(service.name, client), url))
}

/** `/binance/ws` is `/ws` of the service `binance`. What is no path at all, such as `//`, leads nowhere. */
function route(services: readonly Service[], request: IncomingMessage) {
  const url = URL.parse(request.url ?? '/', 'http://sandbox') ?? new URL('http://sandbox/')
  const [, name = '', ...rest] = url.pathname.split('/')
  return { service: services.find((each) => each.name === name), path: `/${rest.join('/')}`, url }
}

function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      const bound = typeof address === 'object' && address !== null ? address.port : port
      resolve(`${host}:${bound}`)
    })
  })
}

function drive(market: SimulatedMarket, clock: Clock): () => void {
  return clock.every(DRIVE_EVERY_MS, () => {
    market.advanceTo(Math.min(clock.now(), market.nowMs() + MAX_CATCH_UP_MS))
  })
}
