import type { Socket } from 'node:net'
import { type FailureCode, ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { failureReply } from '../reply.ts'
import { unread } from './in-slices.ts'
import { endWith } from './last-word.ts'
import { afterReplies, isHeldUp, untilWhole } from './one-at-a-time.ts'

/** So long after its time was over a request that has not come whole is looked at again. */
const LATE_AGAIN_MS = 1_000

/** A request that Node could not read: it came broken, or too late. */
export function refuseUnread(error: NodeJS.ErrnoException, socket: Socket, clock: Clock): void {
  const refuse = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? refuseLate : refuseMalformed
  refuse(error, socket, clock)
}

/** A request that Node's parser refuses still gets an answer that a client can read. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket, clock: Clock): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const code: FailureCode = error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'bad_request'
  const reply = failureReply(new ServiceError(code, 'the request could not be read'), 'none')
  afterReplies(socket, () => endWith(socket, reply, clock))
}

/**
 * Node counts from the first byte of a request, also while this process sleeps, and while it does not read the rest
 * because others wait: what has come is read first.
 */
function refuseLate(error: Error, socket: Socket, clock: Clock): void {
  const isWhole = untilWhole(socket)
  const end = () => {
    stop()
    socket.off('close', end)
  }
  /** For those before it on its connection, or for other connections to have their turn. */
  const mustWait = () => isHeldUp(socket) || (unread.has(socket) && !socket.isPaused())
  let hadToWait = mustWait()
  const stop = clock.every(LATE_AGAIN_MS, () => {
    const isRead = !mustWait() && !hadToWait
    hadToWait = mustWait()
    if (!isWhole() && !isRead) return
    end()
    if (!isWhole()) refuseMalformed(error, socket, clock)
  })
  socket.once('close', end)
}
