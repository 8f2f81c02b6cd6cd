import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'

export type LoopbackRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: string }
/** `undefined` hangs up without a word. */
export type LoopbackReply = { status: number; body: string } | undefined
export type LoopbackServer = { url: string; close(): Promise<void> }

const HOST = '127.0.0.1'
const MAX_BODY_BYTES = 256 * 1024
const MAX_CONNECTIONS = 500
const REQUEST_LIMIT_MS = 30_000

/** JSON over HTTP for this machine only; the address is not a parameter, so that it cannot be widened. */
export async function startLoopbackServer(input: {
  port?: number | undefined
  answer(request: LoopbackRequest): Promise<LoopbackReply>
}): Promise<LoopbackServer> {
  const server = createServer({ requestTimeout: REQUEST_LIMIT_MS }, (request, response) => {
    respond(input.answer, request, response).catch(() => request.socket.destroy())
  })
  server.maxConnections = MAX_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(input.port ?? 0, HOST, resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : input.port
  return {
    url: `http://${HOST}:${port}`,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function respond(
  answer: (request: LoopbackRequest) => Promise<LoopbackReply>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url = '', headers } = request
  const body = await readBody(request)
  const reply =
    body === undefined
      ? { status: 413, body: JSON.stringify({ error: 'body too large' }) }
      : await answer({ method, path: url.split('?', 1)[0] ?? '', headers, body })
  if (!reply) return void request.socket.destroy()
  response.writeHead(reply.status, { 'content-type': 'application/json' })
  response.end(reply.body)
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
