import { WebSocket } from 'ws'

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
