import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The newest response of each open connection. Replies leave in order: when that one has left, all of them have. */
type Newest = Map<Socket, ServerResponse>

const followed = new WeakMap<Server, Newest>()

/** Done for every request, so it only notes the response: whether that has left is looked up when somebody asks. */
export function followReplies(server: Server): void {
  const newest: Newest = new Map()
  followed.set(server, newest)
  server.on('connection', (socket: Socket) => {
    socket.once('close', () => newest.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    newest.set(socket, response)
  })
}

/**
 * Node also counts a connection as idle whose reply was made while its last piece still waits in this process for a slow
 * reader, and cuts it. Only Node knows where half a head has come, so it chooses, and those with a reply on its way stay.
 * On a server that is not followed, such as that of the metrics, its choice stands.
 */
export function closeIdle(server: Server): void {
  const staying = withReplyOnItsWay(followed.get(server))
  for (const socket of staying) socket.destroy = stay
  server.closeIdleConnections()
  for (const socket of staying) Reflect.deleteProperty(socket, 'destroy')
}

function stay(this: Socket): Socket {
  return this
}

function withReplyOnItsWay(newest: Newest = new Map()): Socket[] {
  const sockets: Socket[] = []
  for (const [socket, response] of newest) if (!response.closed) sockets.push(socket)
  return sockets
}
