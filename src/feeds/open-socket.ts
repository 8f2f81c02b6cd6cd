import { WebSocket } from 'ws'
import type { HostGate } from '../upstreams/rules/host-gate.ts'

const HANDSHAKE_MS = 10_000

/** Starts a connection. A frame above `maxFrameBytes` ends it. */
export type OpenSocket = (url: string, maxFrameBytes: number) => WebSocket

export const openSocket: OpenSocket = (url, maxFrameBytes) =>
  new WebSocket(url, {
    handshakeTimeout: HANDSHAKE_MS,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    // One message per turn of the event loop, so that every single change of a book is judged.
    allowSynchronousEvents: false,
  })

/** Tells the gate of a handshake that was answered with another status; the connection then ends as any other. */
export function noteRefusal(socket: WebSocket, gate: Pick<HostGate, 'note'>): void {
  socket.on('unexpected-response', (_, { statusCode = 0, headers }) => {
    gate.note({ status: statusCode, retryAfter: headers['retry-after'], date: headers.date })
    socket.terminate()
  })
}
