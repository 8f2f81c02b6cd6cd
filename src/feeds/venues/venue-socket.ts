import type { WebSocket } from 'ws'
import type { Clock } from '../../core/clock.ts'
import type { OpenSocket } from '../open-socket.ts'
import { type Allowance, createRequestBudget } from './request-budget.ts'

type Verb = 'subscribe' | 'unsubscribe'

/** One connection to a venue that carries any number of topics. */
export type VenueSocket = {
  /** Opens the connection if there is none. */
  subscribe(topic: string): void
  unsubscribe(topic: string): void
  /** Ends the connection; the next `subscribe` opens a new one. */
  drop(reason: string): void
}

export type VenueSocketOptions = {
  url: string
  maxFrameBytes: number
  clock: Clock
  /** What we may send; undefined only against a server of our own. */
  allowance: Allowance | undefined
  openSocket: OpenSocket
  requestOf(verb: Verb, topics: readonly string[]): unknown
  /** Gets undefined for a frame that is not JSON. Must not throw. */
  onMessage(message: unknown): void
  /** The connection ended, and with it every subscription. */
  onLost(error: Error): void
}

export function createVenueSocket(options: VenueSocketOptions): VenueSocket {
  const outbox = createOutbox(options)
  let socket: WebSocket | undefined

  const lose = (ended: WebSocket, error: Error) => {
    // A dropped connection still emits events until it has closed.
    if (socket !== ended) return
    socket = undefined
    outbox.close()
    options.onLost(error)
  }
  const connect = () => {
    const opened = options.openSocket(options.url, options.maxFrameBytes)
    let cause = ''
    opened.on('open', () => {
      if (socket === opened) outbox.open((text) => opened.send(text))
    })
    opened.on('message', (data, isBinary) => {
      if (socket === opened) options.onMessage(isBinary ? undefined : parseJson(String(data)))
    })
    // A close always follows; without a listener the error would end the process.
    opened.on('error', (error) => {
      cause = `: ${error.message}`
    })
    opened.on('close', (code) => lose(opened, new Error(`connection closed with ${code}${cause}`)))
    return opened
  }
  return {
    subscribe(topic) {
      socket ??= connect()
      outbox.add('subscribe', topic)
    },
    unsubscribe(topic) {
      if (socket) outbox.add('unsubscribe', topic)
    },
    drop(reason) {
      const ended = socket
      if (!ended) return
      lose(ended, new Error(reason))
      ended.terminate()
    },
  }
}

/** Requests not sent yet. Keeps their order, joins neighbours of one kind, and stays within the allowance. */
function createOutbox({
  clock,
  allowance,
  requestOf,
}: Pick<VenueSocketOptions, 'clock' | 'allowance' | 'requestOf'>) {
  const budget = allowance && createRequestBudget(clock, allowance, Number.POSITIVE_INFINITY)
  let waiting: { verb: Verb; topic: string }[] = []
  let send: ((text: string) => void) | undefined
  let cancelSend: (() => void) | undefined

  const sendNext = () => {
    cancelSend = undefined
    const verb = waiting[0]?.verb
    if (!send || !verb) return
    const end = waiting.findIndex((request) => request.verb !== verb)
    const batch = waiting.splice(0, end < 0 ? waiting.length : end)
    send(JSON.stringify(requestOf(verb, [...new Set(batch.map(({ topic }) => topic))])))
    flush()
  }
  const flush = () => {
    if (!send || waiting.length === 0 || cancelSend) return
    const waitMs = budget?.findWaitMs(1) ?? 0
    if (waitMs === 0) sendNext()
    else cancelSend = clock.after(waitMs, sendNext)
  }
  return {
    add(verb: Verb, topic: string) {
      waiting.push({ verb, topic })
      flush()
    },
    open(sender: (text: string) => void) {
      send = sender
      flush()
    },
    /** Forgets what was not sent. */
    close() {
      cancelSend?.()
      cancelSend = undefined
      send = undefined
      waiting = []
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
