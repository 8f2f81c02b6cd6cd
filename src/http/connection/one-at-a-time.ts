import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests that may wait on one connection. Who sends more before reading a reply is cut off. */
export const MAX_WAITING = 64

type Begin = (request: IncomingMessage, response: ServerResponse) => void
type Line = {
  /** Begun last, until it has left: a connection without anything to do keeps nothing of what it was asked. */
  current: ServerResponse | undefined
  /** Came last, begun or not. */
  newest: IncomingMessage | undefined
  waiting: (() => void)[]
  /** Told of the next request that comes. */
  onNext: ((request: IncomingMessage) => void) | undefined
  /** Whether reading stops by itself while something waits. */
  isGuarded: boolean
}

const lines = new WeakMap<Socket, Line>()

/**
 * Node hands over every request of a chunk at once, hundreds of them where a client does not wait for replies. Here one
 * begins when the reply before it is handed to the system and others had their turn, and nothing is read meanwhile.
 */
export function oneAtATime(begin: Begin, onCutOff: () => void): Begin {
  return (request, response) => {
    const { socket } = request
    // Nobody would get the reply.
    if (socket.writableEnded) return
    const line = lineOf(socket)
    line.onNext?.(request)
    line.onNext = undefined
    if (line.waiting.length === MAX_WAITING) return cutOff(socket, onCutOff)
    const beginIt = () => {
      line.current = response
      response.once('close', () => rest(line))
      begin(request, response)
    }
    line.newest = request
    if (isBusy(line)) wait(socket, line, beginIt)
    else beginIt()
  }
}

function lineOf(socket: Socket): Line {
  const known = lines.get(socket)
  if (known) return known
  const line: Line = {
    current: undefined,
    newest: undefined,
    waiting: [],
    onNext: undefined,
    isGuarded: false,
  }
  lines.set(socket, line)
  return line
}

function rest(line: Line): void {
  if (line.waiting.length > 0) return
  line.current = undefined
  // Answered before its body has come, which may still come, and late.
  const { newest } = line
  // The end of a body and the next request may come at once, and the request is heard of first.
  if (newest?.complete === false) newest.once('end', () => void (line.newest === newest && rest(line)))
  else line.newest = undefined
}

/** The rest of its chunk still comes. */
function cutOff(socket: Socket, onCutOff: () => void): void {
  if (socket.destroyed) return
  socket.destroy()
  onCutOff()
}

/** Whether its connection is not read, because others wait on it. */
export const isHeldUp = (socket: Socket): boolean => lineOf(socket).waiting.length > 0

/** Tells later whether the request that had not come whole by now has: its head alone is not enough. */
export function untilWhole(socket: Socket): () => boolean {
  const line = lineOf(socket)
  let late = line.newest?.complete === false ? line.newest : undefined
  if (!late)
    line.onNext = (request) => {
      late = request
    }
  return () => late?.complete === true
}

/** Runs `last` when the requests that came before are answered: what is wrong with the next one is no reply to them. */
export function afterReplies(socket: Socket, last: () => void): void {
  const line = lines.get(socket)
  const current = line?.current
  // The request whose body is being read is the one that something is wrong with. Nobody reads that of a GET.
  if (!line || !isBusy(line) || !current || (!current.req.complete && !isUnread(current.req))) {
    last()
    return
  }
  if (!line.newest?.complete && line.newest !== current.req) line.waiting.pop()
  wait(socket, line, last)
}

const isUnread = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD'

/** A reply counts as handed over a moment after its last byte was: never in the turn in which its request came. */
const isBusy = ({ current, waiting }: Line) => waiting.length > 0 || current?.closed === false

function wait(socket: Socket, line: Line, begin: () => void): void {
  if (line.waiting.push(begin) > 1) return
  guard(socket, line)
  socket.pause()
  followOn(socket, line)
}

/** Node reads on when a reply has ended, whatever waits. */
function guard(socket: Socket, line: Line): void {
  if (line.isGuarded) return
  line.isGuarded = true
  socket.on('resume', () => void (line.waiting.length > 0 && socket.pause()))
}

function followOn(socket: Socket, line: Line): void {
  line.current?.once('close', () => inTurn(() => beginNext(socket, line)))
}

/** One of those that waited begins in a turn of the event loop, whatever the number of connections that they came on. */
const ready: (() => void)[] = []

function inTurn(begin: () => void): void {
  if (ready.push(begin) === 1) setImmediate(takeTurn)
}

function takeTurn(): void {
  ready.shift()?.()
  if (ready.length > 0) setImmediate(takeTurn)
}

function beginNext(socket: Socket, line: Line): void {
  // Nobody would get the reply.
  if (socket.destroyed || socket.writableEnded) line.waiting.length = 0
  const begin = line.waiting.shift()
  if (!begin) return
  begin()
  if (line.waiting.length > 0) followOn(socket, line)
  else socket.resume()
}
