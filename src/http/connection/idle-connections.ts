import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { unread } from './in-slices.ts'

/** The newest response of each connection that it has not left yet. Replies leave in order: it is the last to leave. */
type Newest = Map<Socket, ServerResponse>

const followed = new WeakMap<Server, Newest>()

export function followReplies(server: Server): void {
  const newest: Newest = new Map()
  followed.set(server, newest)
  server.on('connection', (socket: Socket) => {
    socket.once('close', () => newest.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    newest.set(socket, response)
    response.once('close', () => {
      if (newest.get(socket) === response) newest.delete(socket)
    })
  })
}

/**
 * Node also counts a connection as idle whose reply was made while its last piece still waits in this process for a slow
 * reader, or whose next request was read and waits for its turn, and cuts it. Only Node knows where half a head has come,
 * so it chooses, and those stay.
 * On a server that is not followed, such as that of the metrics, its choice stands.
 */
export function closeIdle(server: Server): void {
  const staying = [...(followed.get(server)?.keys() ?? []), ...unread]
  for (const socket of staying) socket.destroy = stay
  server.closeIdleConnections()
  for (const socket of staying) Reflect.deleteProperty(socket, 'destroy')
}

function stay(this: Socket): Socket {
  return this
}
