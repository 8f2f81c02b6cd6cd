import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { type Answer, parseTarget, refuseUpgrade } from '../loopback-server.ts'
import type { Outages } from './outages.ts'
import type { Peers } from './peers.ts'
import type { ProviderServer } from './provider-server.ts'
import { json } from './reply.ts'
import type { RequestLimits } from './request-limits.ts'

export type Router = {
  answer: Answer
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

const MAX_FRAME_BYTES = 64 * 1024
/** Fewer than the server's connections, so that REST requests still get one. */
const MAX_SOCKETS = 400
const NOT_FOUND = json(404, { message: 'NotFound' })

/** Many providers on one port: `/binance/ws` is `/ws` of the provider `binance`. */
export function createRouter(
  servers: Readonly<Record<string, ProviderServer>>,
  peers: Peers,
  outages: Pick<Outages, 'answer' | 'refuse'>,
  limits?: Pick<RequestLimits, 'take'>,
): Router {
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
      const { name, server, path } = find(request.path)
      const refused = limits?.take(name, path)
      return outages.answer(name, { ...request, path }, async () => {
        const { headers, ...reply } = refused ?? (await server?.rest({ ...request, path })) ?? NOT_FOUND
        return { ...reply, headers: { server: 'sandbox', ...headers } }
      })
    },
    upgrade(request, socket, head) {
      // During the handshake nothing else handles errors, and an unhandled one would end the process.
      socket.on('error', () => socket.destroy())
      const url = parseTarget(request)
      const { name, server, path } = find(url.pathname)
      const accept = server?.socketAt(path)
      if (!accept) return refuseUpgrade(socket, { status: 404, body: '' })
      if (peers.count >= MAX_SOCKETS) return refuseUpgrade(socket, { status: 503, body: '' })
      const refused = outages.refuse(name)
      if (refused) return refuseUpgrade(socket, refused)
      sockets.handleUpgrade(request, socket, head, (client) => accept(peers.add(name, client), url))
    },
  }
}
