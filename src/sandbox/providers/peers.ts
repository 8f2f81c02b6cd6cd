import { setImmediate as nextTurn } from 'node:timers/promises'
import type { WebSocket } from 'ws'

/**
 * An outgoing message. `venue` is the provider's name, `stream` the provider's own name for the stream
 * (`btcusdt@aggTrade`, `matches:BTC-USD`, `price.crypto.twap:btcusd`), or `control` for replies to the client.
 */
export type Wire = { venue: string; stream: string; text: string }
/** Simulates a bad network: what it returns is sent instead; an empty list drops the message. */
export type Tamper = (wire: Wire) => readonly string[] | 'disconnect'

export const CONTROL = 'control'
/** A client that reads too slowly is disconnected, as the venues do. */
export const MAX_UNSENT_BYTES = 16 * 1024 * 1024

const CLOSE_INTERNAL = 1011

/** A connected client as a venue sees it. */
export type Peer = {
  send(stream: string, text: string): void
  close(code: number, reason: string): void
  onText(handler: (text: string) => void): void
  onGone(handler: () => void): void
}

export type Peers = {
  add(venue: string, socket: WebSocket): Peer
  /** Resolves once every client has read all that was sent before the call. */
  drained(): Promise<void>
  disconnectAll(venue?: string): void
  ping(venue: string): void
  readonly count: number
}

export function createPeers(tamper: Tamper | undefined): Peers {
  const sockets = new Map<WebSocket, string>()
  let drains = 0
  const of = (venue: string | undefined) =>
    [...sockets].filter(([, owner]) => venue === undefined || owner === venue).map(([socket]) => socket)
  return {
    add(venue, socket) {
      sockets.set(socket, venue)
      socket.on('close', () => sockets.delete(socket))
      // Raised by oversized and malformed frames; `ws` closes the connection itself.
      socket.on('error', () => socket.terminate())
      return createPeer(venue, socket, tamper)
    },
    async drained() {
      const mark = `drained ${++drains}`
      await Promise.all(of(undefined).map((socket) => answered(socket, mark)))
      // A client that reads through a stream gets the last message one turn of the event loop after its pong.
      await nextTurn()
      await nextTurn()
    },
    disconnectAll(venue) {
      for (const socket of of(venue)) socket.terminate()
    },
    ping(venue) {
      for (const socket of of(venue)) if (socket.readyState === socket.OPEN) socket.ping()
    },
    get count() {
      return sockets.size
    },
  }
}

function createPeer(venue: string, socket: WebSocket, tamper: Tamper | undefined): Peer {
  return {
    send(stream, text) {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > MAX_UNSENT_BYTES) return socket.terminate()
      if (!tamper) return socket.send(text)
      const texts = tamper({ venue, stream, text })
      if (texts === 'disconnect') return socket.terminate()
      for (const changed of texts) socket.send(changed)
    },
    close: (code, reason) => socket.close(code, reason),
    onText(handler) {
      socket.on('message', (bytes, isBinary) => {
        if (isBinary) return
        try {
          handler(bytes.toString())
        } catch {
          // An error of the simulation ends the connection that met it, not the process.
          socket.close(CLOSE_INTERNAL, 'internal error')
        }
      })
    },
    onGone(handler) {
      socket.on('close', handler)
    },
  }
}

/** A pong to a ping that was sent last proves that everything before it was read. */
function answered(socket: WebSocket, mark: string): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readyState !== socket.OPEN) return resolve()
    const done = () => {
      socket.off('pong', onPong)
      socket.off('close', done)
      resolve()
    }
    const onPong = (payload: Buffer) => {
      if (payload.toString() === mark) done()
    }
    socket.on('pong', onPong)
    socket.on('close', done)
    socket.ping(mark)
  })
}
