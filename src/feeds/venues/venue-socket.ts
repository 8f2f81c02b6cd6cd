import type { WebSocket } from 'ws'
import { createBackoff } from '../../core/time/backoff.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { HostGate } from '../../upstreams/rules/host-gate.ts'
import type { Allowance } from '../../upstreams/rules/request-budget.ts'
import { CONNECT_BOUNDS } from '../backoff-bounds.ts'
import { noteRefusal, type OpenSocket } from '../open-socket.ts'
import { createOutbox, type Outbox, type Request } from './outbox.ts'

/** A connection that ended sooner is not followed by another at once, whatever it brought: its venue may end each one. */
const USEFUL_AFTER_MS = 30_000

/** One connection to a venue that carries any number of topics. */
export type VenueSocket = Pick<Outbox, 'isolate' | 'takeUnanswered'> & {
  /** Opens the connection if there is none; throws while the host refuses that. */
  subscribe(topic: string): void
  unsubscribe(topic: string): void
  /** Ends the connection; the next `subscribe` opens a new one. */
  drop(reason: string): void
  /** The connection has brought something: if it lives for a while, the next one may follow at once. */
  proveUseful(): void
}

export type VenueSocketOptions = {
  url: string
  maxFrameBytes: number
  clock: Clock
  gate: Pick<HostGate, 'check' | 'note'>
  random: () => number
  /** What we may send; undefined only against a server of our own. */
  allowance: Allowance | undefined
  openSocket: OpenSocket
  wireOf(request: Request): unknown
  /** Gets undefined for a frame that is not JSON. Must not throw. */
  onMessage(message: unknown): void
  onConnecting(): void
  /** The connection ended, and with it every subscription. */
  onLost(error: Error): void
}

export function createVenueSocket(options: VenueSocketOptions): VenueSocket {
  const { clock, random } = options
  const outbox = createOutbox(options)
  const backoff = createBackoff(CONNECT_BOUNDS, random)
  let notBeforeMs = Number.NEGATIVE_INFINITY
  let connectedMs = Number.NEGATIVE_INFINITY
  let isUseful = false
  let socket: WebSocket | undefined

  const lose = (ended: WebSocket, error: Error) => {
    // A dropped connection still emits events until it has closed.
    if (socket !== ended) return
    socket = undefined
    outbox.close()
    // Every stream asks for a connection. One that was of no use is not followed by another at once.
    if (isUseful && clock.now() - connectedMs >= USEFUL_AFTER_MS) backoff.reset()
    else notBeforeMs = clock.now() + backoff.nextMs()
    options.onLost(error)
  }
  const connect = () => {
    options.gate.check()
    const waitMs = notBeforeMs - clock.now()
    if (waitMs > 0) throw new Error(`the next connection is due in ${waitMs} ms`)
    isUseful = false
    connectedMs = clock.now()
    options.onConnecting()
    const opened = options.openSocket(options.url, options.maxFrameBytes)
    let cause = ''
    noteRefusal(opened, options.gate)
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
    isolate: outbox.isolate,
    takeUnanswered: outbox.takeUnanswered,
    subscribe(topic) {
      socket ??= connect()
      outbox.add('subscribe', topic)
    },
    unsubscribe(topic) {
      if (socket) outbox.add('unsubscribe', topic)
    },
    proveUseful() {
      isUseful = true
    },
    drop(reason) {
      const ended = socket
      if (!ended) return
      lose(ended, new Error(reason))
      ended.terminate()
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
