import { once } from 'node:events'
import { WebSocket } from 'ws'

/** A plain WebSocket client that keeps every message it hears, for tests of the simulated venues. */
export type RecordingClient = {
  heard: readonly Message[]
  send(message: unknown): void
  sendRaw(data: string | Buffer): void
  /** Resolves with the close code, at once when the connection is closed already. */
  closed: Promise<number>
  close(): void
}
export type Message = Readonly<Record<string, unknown>>

export async function connectRecording(url: string): Promise<RecordingClient> {
  const socket = new WebSocket(url)
  const heard: Message[] = []
  socket.on('message', (data) => heard.push(JSON.parse(data.toString())))
  socket.on('error', () => {})
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await once(socket, 'open')
  return {
    heard,
    send: (message) => socket.send(JSON.stringify(message)),
    sendRaw: (data) => socket.send(data),
    closed,
    close: () => socket.close(),
  }
}

/** Waits until a message meets `isWanted`; the test's own time limit ends a wait in vain. */
export async function heardOne(
  client: RecordingClient,
  isWanted: (message: Message) => boolean,
): Promise<Message> {
  for (;;) {
    const found = client.heard.find(isWanted)
    if (found) return found
    await new Promise((resolve) => setImmediate(resolve))
  }
}
