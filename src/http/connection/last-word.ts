import type { Socket } from 'node:net'
import type { Clock } from '../../core/time/clock.ts'
import type { Reply } from '../reply.ts'

/** A client that keeps its side open after our last word is cut off after this long. */
const LINGER_MS = 1_000

/** A last word where no request could be read, so that there is no response to write it with. */
export function endWith(socket: Socket, reply: Reply, clock: Pick<Clock, 'after'>): void {
  const { status, code, bytes, body, headers } = reply
  const lines = [`HTTP/1.1 ${status} ${code}`, `Content-Length: ${bytes}`, 'Connection: close']
  for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`)
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
  socket.once(
    'close',
    clock.after(LINGER_MS, () => socket.destroy()),
  )
}
