import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'

type Answer = (url: URL, response: ServerResponse) => void

/** A venue on loopback whose socket and REST say only what the test tells them to. */
export async function startLoopbackVenue() {
  const connections: WebSocket[] = []
  const received: Record<string, unknown>[] = []
  const asked: URL[] = []
  let answer: Answer = (_, response) => response.writeHead(404).end('{}')
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://loopback')
    asked.push(url)
    answer(url, response)
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => {
    connections.push(socket)
    socket.on('message', (text) => received.push(JSON.parse(String(text))))
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of connections) socket.terminate()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    restUrl: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    connections,
    received,
    asked,
    say: (...frames: readonly unknown[]) => {
      for (const frame of frames)
        connections.at(-1)?.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
    },
    onAsked(next: Answer) {
      answer = next
    },
    /** Answers every request with this JSON. */
    know(body: unknown) {
      answer = (_, response) => response.end(JSON.stringify(body))
    },
  }
}

export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await nextTurn()
}

/** Waits until the client has read all that was sent to it. */
export async function drained(socket: WebSocket | undefined): Promise<void> {
  if (!socket) return
  const pong = once(socket, 'pong')
  socket.ping('drained')
  await pong
  await nextTurn()
}

/** The error that a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  )
}
