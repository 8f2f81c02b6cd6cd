import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { hasBody } from './has-body.ts'

/** Of a body: chunks, or what came over the network at once. A line of JSON each makes fewer. */
export const MAX_PIECES = 4_096
/** Where nothing reads a body, though some clients send one: what comes is kept until the reply. */
const MAX_UNREAD_PIECES = 64
const UNREAD_METHODS = ['GET', 'HEAD']
const REPLY_LEAVES_MS = 1_000

/**
 * Each piece costs far more than its bytes, also where nobody reads the body: beyond the limit nothing more is taken, not
 * even its end, and the connection is closed once a reply has had time to leave. One more than may be comes through, to be
 * refused by whoever reads.
 */
export function limitPieces(request: IncomingMessage, response: ServerResponse): void {
  if (!hasBody(request)) return
  const most = UNREAD_METHODS.includes(request.method ?? '') ? MAX_UNREAD_PIECES : MAX_PIECES
  const push = request.push.bind(request)
  let pieces = 0
  request.push = (piece: unknown, encoding?: BufferEncoding) => {
    if (piece !== null) pieces++
    if (pieces <= most + 1) return push(piece, encoding)
    if (pieces === most + 2 && piece !== null) {
      response.shouldKeepAlive = false
      cutSoon(request.socket, response)
    }
    return false
  }
}

/** Its reply is made: what still comes of its body is for nobody, and is not kept. */
export function dropBody(request: IncomingMessage): void {
  if (hasBody(request)) request.resume()
}

/** Nothing more is read from it and nothing more begins on it; it is closed once the reply has left. */
function cutSoon(socket: Socket, response: ServerResponse): void {
  socket.pause()
  // Node reads on when a reply has ended.
  socket.on('resume', () => socket.pause())
  const close = () => {
    socket.end()
    setTimeout(() => socket.destroy(), REPLY_LEAVES_MS).unref()
  }
  // Those before it may take long: they are charged for, and it may be itself.
  if (response.writableFinished) close()
  else response.once('finish', close)
}
