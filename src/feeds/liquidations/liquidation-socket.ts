import type { WebSocket } from 'ws'
import { createBackoff } from '../../core/time/backoff.ts'
import type { Clock } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import type { Liquidation } from '../../upstreams/perpetuals/liquidation.ts'
import type { HostGate } from '../../upstreams/rules/host-gate.ts'
import { createHostTrouble, type HostTrouble } from '../../upstreams/rules/host-trouble.ts'
import { CONNECT_BOUNDS } from '../backoff-bounds.ts'
import type { FeedLog } from '../feed-log.ts'
import { noteRefusal, type OpenSocket } from '../open-socket.ts'
import type { LiquidationStream } from './liquidation-streams.ts'

/** Hours may pass without a liquidation, so a connection is judged by its answers to pings. */
const PING_EVERY_MS = 15 * SECOND_MS
const DEAD_AFTER_MS = 40 * SECOND_MS
/** After a connection of this length the backoff starts over. */
const STEADY_MS = 30 * SECOND_MS
/** OKX tells of all its contracts at once; a crash makes some hundred rows. */
const MAX_FRAME_BYTES = 1024 * 1024

/** The connection to one venue, replaced whenever it ends. */
export type LiquidationSocket = {
  start(): void
  /** Called every second: a connection that answers nothing is replaced. */
  check(): void
  stop(): void
  /** Whether we hear what happens at the venue. */
  readonly isOpen: boolean
  /** Rows that could not be read. */
  readonly skipped: number
}

type Options = {
  stream: LiquidationStream
  clock: Clock
  random: () => number
  gate: Pick<HostGate, 'check' | 'note'>
  log: FeedLog
  openSocket: OpenSocket
  onLiquidation(liquidation: Liquidation): void
}

export function createLiquidationSocket(options: Options): LiquidationSocket {
  const { stream, clock } = options
  const backoff = createBackoff(CONNECT_BOUNDS, options.random)
  const trouble = troubleOf(options)
  let socket: WebSocket | undefined
  let startedMs = clock.now()
  let heardMs = startedMs
  let skipped = 0
  let isStopped = false
  let cancelRetry = () => {}

  const lose = (lost: WebSocket, reason: unknown) => {
    if (socket !== lost) return
    socket = undefined
    lost.terminate()
    if (clock.now() - startedMs >= STEADY_MS) backoff.reset()
    fail(reason)
  }
  const fail = (reason: unknown) => {
    if (isStopped) return
    trouble.failed(reason)
    cancelRetry = clock.after(backoff.nextMs(), connect)
  }
  const hear = (text: string, from: WebSocket) => {
    heardMs = clock.now()
    const frame = stream.read(text)
    skipped += frame.skipped
    for (const liquidation of frame.liquidations) options.onLiquidation(liquidation)
    if (frame.refusal !== undefined) lose(from, `refused: ${frame.refusal}`)
  }
  const connect = () => {
    if (isStopped || socket) return
    const refusal = refusalOf(options.gate)
    if (refusal !== undefined) return fail(refusal)
    startedMs = clock.now()
    heardMs = startedMs
    const opened = options.openSocket(stream.url, MAX_FRAME_BYTES)
    socket = opened
    noteRefusal(opened, options.gate)
    listen(opened, {
      onOpen() {
        if (socket === opened && stream.subscription !== undefined) opened.send(stream.subscription)
      },
      onText(text) {
        if (socket === opened) hear(text, opened)
      },
      onSign() {
        if (socket === opened) heardMs = clock.now()
      },
      onEnd: (reason) => lose(opened, reason),
    })
  }
  const stopPings = clock.every(PING_EVERY_MS, () => ping(socket, stream))
  return {
    start: connect,
    check() {
      trouble.check()
      if (socket && isOpen(socket)) trouble.succeeded()
      if (socket && clock.now() - heardMs >= DEAD_AFTER_MS) lose(socket, 'no answer')
    },
    stop() {
      isStopped = true
      cancelRetry()
      stopPings()
      socket?.terminate()
      socket = undefined
    },
    get isOpen() {
      return socket !== undefined && isOpen(socket)
    },
    get skipped() {
      return skipped
    },
  }
}

function troubleOf({ stream, clock, log }: Options): HostTrouble {
  const where = { provider: stream.provider, channel: 'socket', host: new URL(stream.url).host }
  return createHostTrouble(where, clock, log)
}

function refusalOf(gate: Pick<HostGate, 'check'>): unknown {
  try {
    gate.check()
    return undefined
  } catch (error) {
    return error
  }
}

function ping(socket: WebSocket | undefined, { ping: text }: LiquidationStream): void {
  if (!socket || !isOpen(socket)) return
  if (text === undefined) socket.ping()
  else socket.send(text)
}

type Events = { onOpen(): void; onText(text: string): void; onSign(): void; onEnd(reason: string): void }

function listen(socket: WebSocket, { onOpen, onText, onSign, onEnd }: Events): void {
  let cause = ''
  socket.on('open', onOpen)
  socket.on('message', (data, isBinary) => {
    if (!isBinary) onText(String(data))
  })
  socket.on('ping', onSign)
  socket.on('pong', onSign)
  // A close always follows; without a listener the error would end the process.
  socket.on('error', (error) => {
    cause = `: ${error.message}`
  })
  socket.on('close', (code) => onEnd(`closed with ${code}${cause}`))
}

const isOpen = (socket: WebSocket) => socket.readyState === socket.OPEN
