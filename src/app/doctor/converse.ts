import type { WebSocket } from 'ws'
import type { OpenSocket } from '../../feeds/open-socket.ts'

const MAX_FRAME_BYTES = 16 * 1024 * 1024

type Talk<T> = {
  /** What is said first; undefined where the address says it all. */
  hello: string | undefined
  /** Where being connected is enough: what it brings. */
  onOpen?(): T
  /** Called for each message; says something, and returns once enough was heard. Throws where it is not as it should be. */
  hear(text: string, say: (text: string) => void): T | undefined
  /** What a code means that the other side closes with. */
  onClose?(code: number): string | undefined
}

/** One conversation over a WebSocket, which ends with it. */
export function converse<T>(
  url: string,
  talk: Talk<T>,
  openSocket: OpenSocket,
  signal: AbortSignal,
): Promise<T> {
  const socket: WebSocket = openSocket(url, MAX_FRAME_BYTES)
  let cause = ''
  return new Promise<T>((resolve, reject) => {
    const say = (text: string) => socket.send(text)
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true })
    socket.on('open', () => {
      if (talk.hello !== undefined) say(talk.hello)
      if (talk.onOpen) resolve(talk.onOpen())
    })
    socket.on('message', (data) => {
      try {
        const heard = talk.hear(String(data), say)
        if (heard !== undefined) resolve(heard)
      } catch (error) {
        reject(error)
      }
    })
    socket.on('error', (error) => {
      cause = `: ${error.message || ('code' in error ? error.code : error.name)}`
    })
    socket.on('close', (code) =>
      reject(new Error(talk.onClose?.(code) ?? `the connection was closed with ${code}${cause}`)),
    )
  }).finally(() => socket.terminate())
}
