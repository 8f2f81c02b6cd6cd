import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { type Answer, parseTarget } from '../loopback-server.ts'
import type { Peers } from './peers.ts'
import type { ProviderServer } from './provider-server.ts'
import { json } from './reply.ts'

export type Router = {
  answer: Answer
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

const MAX_FRAME_BYTES = 64 * 1024
/** Fewer than the server's connections, so that REST requests still get one. */
const MAX_SOCKETS = 400
const NOT_FOUND = json(404, { message: 'NotFound' })

/** Many providers on one port: `/binance/ws` is `/ws` of the provider `binance`. */
export function createRouter(servers: Readonly<Record<string, ProviderServer>>, peers: Peers): Router {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES })
  const find = (fullPath: string) => {
    const [, name = '', ...rest] = fullPath.split('/')
    return {
      name,
      server: Object.hasOwn(servers, name) ? servers[name] : undefined,
      path: `/${rest.join('/')}`,
    }
  }
  return {
    async answer(request) {
      const { server, path } = find(request.path)
      const { headers, ...reply } = (await server?.rest({ ...request, path })) ?? NOT_FOUND
      return { ...reply, headers: { server: 'sandbox', ...headers } }
    },
    upgrade(request, socket, head) {
      // During the handshake nothing else handles errors, and an unhandled one would end the process.
      socket.on('error', () => socket.destroy())
      const url = parseTarget(request)
      const { name, server, path } = find(url.pathname)
      const accept = server?.socketAt(path)
      if (!accept) return refuse(socket, '404 Not Found')
      if (peers.count >= MAX_SOCKETS) return refuse(socket, '503 Service Unavailable')
      sockets.handleUpgrade(request, socket, head, (client) => accept(peers.add(name, client), url))
    },
  }
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
}
