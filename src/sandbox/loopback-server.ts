import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Duplex } from 'node:stream'

export type LoopbackRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: Buffer
}
/** `application/json` unless `headers` says otherwise. */
export type LoopbackReply = {
  status: number
  headers?: Readonly<Record<string, string>>
  body: string | Uint8Array
}
/** `undefined` closes the connection without a reply. */
export type Answer = (
  request: LoopbackRequest,
) => LoopbackReply | undefined | Promise<LoopbackReply | undefined>
export type LoopbackServer = {
  host: string
  url: string
  /** While refusing nobody listens on the port, and those who were connected no longer are. */
  refuse(isRefusing: boolean): Promise<void>
  close(): Promise<void>
}

/** What an attempt to upgrade gets instead of a WebSocket: a reply, a closed connection, or nothing at all. */
export type RefusedUpgrade = LoopbackReply | 'reset' | 'hang'

export type LoopbackInput = {
  /** 0, the default, takes a free one. */
  port?: number | undefined
  maxBodyBytes?: number
  /** Whether several processes use it, each with connections of its own. */
  isShared?: boolean | undefined
  answer: Answer
  /** Takes over connections that ask for a WebSocket; without it they are answered as plain requests. */
  upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

const HOST = '127.0.0.1'
const DEFAULT_BODY_BYTES = 256 * 1024
const MAX_CONNECTIONS = 500
const MAX_SHARED_CONNECTIONS = 5_000
const REQUEST_LIMIT_MS = 30_000

/** HTTP for this machine only; the address is not a parameter, so that it cannot be widened. */
export async function startLoopbackServer(input: LoopbackInput): Promise<LoopbackServer> {
  const { answer, upgrade, maxBodyBytes = DEFAULT_BODY_BYTES } = input
  const server = createServer({ requestTimeout: REQUEST_LIMIT_MS }, (request, response) => {
    respond(request, response, answer, maxBodyBytes).catch(() => request.socket.destroy())
  })
  server.maxConnections = input.isShared ? MAX_SHARED_CONNECTIONS : MAX_CONNECTIONS
  if (upgrade) server.on('upgrade', upgrade)
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, HOST, resolve)
    })
  // The server itself forgets connections that asked for a WebSocket.
  const sockets = new Set<Duplex>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  await listen(input.port ?? 0)
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const host = `${HOST}:${port}`
  return {
    host,
    url: `http://${host}`,
    refuse: (isRefusing) => (isRefusing ? close() : listen(port)),
    close,
  }
}

/** A request target that is no address, such as `//`, counts as `/`. */
export function parseTarget(request: IncomingMessage): URL {
  return URL.parse(request.url ?? '/', 'http://sandbox') ?? new URL('http://sandbox/')
}

/** Answers an attempt to upgrade that is not let through. */
export function refuseUpgrade(socket: Duplex, refused: RefusedUpgrade): void {
  if (refused === 'hang') return void socket.resume()
  if (refused === 'reset') return void socket.destroy()
  const headers = { ...refused.headers, 'content-length': String(refused.body.length), connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${refused.status} ${STATUS_CODES[refused.status] ?? ''}\r\n${lines.join('')}\r\n${refused.body}`,
  )
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  maxBodyBytes: number,
): Promise<void> {
  const body = await readBody(request, maxBodyBytes)
  const reply = body ? await answerSafely(request, body, answer) : TOO_LARGE
  if (!reply) return void request.socket.destroy()
  response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
  response.end(reply.body)
}

/** The rest of the body is not read: the connection cannot be used again. */
const TOO_LARGE = { status: 413, headers: { connection: 'close' }, body: '{"error":"body too large"}' }

/** An error of the simulation is answered, so that it neither ends the process nor looks like a bad network. */
async function answerSafely(request: IncomingMessage, body: Buffer, answer: Answer) {
  const { method = '', headers } = request
  const { pathname, searchParams } = parseTarget(request)
  try {
    return await answer({ method, path: pathname, query: searchParams, headers, body })
  } catch (error) {
    return { status: 500, body: JSON.stringify({ error: String(error) }) }
  }
}

/** `undefined` for a body over the limit; rejects when the client leaves before its end. */
function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve(undefined)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) return void chunks.push(chunk)
      request.pause()
      resolve(undefined)
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', reject)
  })
}
