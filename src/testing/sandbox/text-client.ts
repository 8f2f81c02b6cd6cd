import { once } from 'node:events'
import { WebSocket } from 'ws'

/** A plain WebSocket client that keeps every text it hears as it came: not all that a venue says is JSON. */
export type TextClient = {
  texts: readonly string[]
  send(message: unknown): void
  sendRaw(data: string | Buffer): void
  /** Resolves with code and reason, at once when the connection is closed already. */
  closed: Promise<{ code: number; reason: string }>
  close(): void
}

export async function connectText(url: string): Promise<TextClient> {
  const socket = new WebSocket(url)
  const texts: string[] = []
  socket.on('message', (data) => texts.push(data.toString()))
  socket.on('error', () => {})
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  )
  await once(socket, 'open')
  return {
    texts,
    send: (message) => socket.send(JSON.stringify(message)),
    sendRaw: (data) => socket.send(data),
    closed,
    close: () => socket.close(),
  }
}
