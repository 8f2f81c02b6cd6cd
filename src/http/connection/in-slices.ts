import type { Socket } from 'node:net'
import { spendHere, waitForTurn } from './turns.ts'

/** 64 requests of the shortest kind, or 340 chunks of one byte: some 2 ms. */
const SLICE_BYTES = 2_048

/** Connections of which something was read that Node has not seen: it takes them for idle. */
export const unread = new Set<Socket>()

/**
 * One read brings up to 64 KB, which are thousands of requests or pieces of a body, and Node works through all of it, on
 * every connection that has some, before anything else is done, and for a connection that was cut off meanwhile as well.
 * Here it gets a slice in a turn, and nothing more is read until all were taken. `whose`: who waits behind his own.
 */
export function inSlices(socket: Socket, whose: unknown): void {
  readAsStream(socket)
  socket.once('close', () => unread.delete(socket))
  const push = socket.push.bind(socket)
  const read = socket._read.bind(socket)
  let rest: Buffer | undefined
  /** The other side has ended, and what it sent before is not all taken. */
  let isOver = false
  let isWaiting = false
  const takeSlice = () => {
    isWaiting = false
    // Whoever paused it heard of its going on after us.
    if (socket.isPaused() && !socket.destroyed) return
    if (socket.writableEnded) return drop()
    const slice = rest?.subarray(0, SLICE_BYTES)
    rest = rest && rest.length > SLICE_BYTES ? rest.subarray(SLICE_BYTES) : undefined
    if (!rest) unread.delete(socket)
    if (socket.destroyed) return
    if (slice) push(slice)
    else if (isOver) end()
  }
  /** Nothing more is said on it: it is read only until its end, which would else take from the client what was said. */
  const drop = () => {
    rest = undefined
    unread.delete(socket)
    if (isOver) end()
    else read(SLICE_BYTES)
  }
  /** As Node does where it reads the end itself. */
  const end = () => {
    push(null)
    socket.read(0)
  }
  /**
   * A stream that is paused gets nothing. What it holds would come at once when it goes on, each byte that came alone
   * would be kept in a buffer of its own, and an end would end the connection under the reply that is on its way.
   */
  const wait = () => {
    if (!(rest || isOver) || isWaiting || socket.isPaused()) return
    isWaiting = true
    waitForTurn(whose, takeSlice)
  }
  const takeAtOnce = (chunk: Buffer | null) => {
    if (socket.isPaused() || rest) return undefined
    if (chunk === null) return push(chunk)
    return chunk.length <= SLICE_BYTES ? spendHere(() => push(chunk)) : undefined
  }
  socket.push = (chunk: Buffer | null) => {
    if (chunk && socket.writableEnded && !rest && !socket.isPaused()) return true
    const pushed = takeAtOnce(chunk)
    if (pushed !== undefined) return pushed
    if (chunk === null) isOver = true
    else rest = chunk
    if (rest) unread.add(socket)
    wait()
    return false
  }
  socket._read = (size) => {
    if (rest || isOver) wait()
    else read(size)
  }
  socket.on('resume', wait)
}

/** With a listener of its own for what comes, Node reads a connection as a stream and not past it. */
function readAsStream(socket: Socket): void {
  const listen = () => {}
  socket.on('data', listen)
  socket.off('data', listen)
}
