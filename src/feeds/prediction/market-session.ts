import type { WebSocket } from 'ws'
import type { Clock } from '../../core/time/clock.ts'
import {
  changeMarketFrame,
  PING,
  readMarketFrame,
  type SocketEvent,
  subscribeMarketFrame,
} from '../../upstreams/polymarket/socket/wire.ts'
import type { HostGate } from '../../upstreams/rules/host-gate.ts'
import { noteRefusal, type OpenSocket } from '../open-socket.ts'

/** The venue ends connections that say nothing. */
const PING_EVERY_MS = 10_000
/** Snapshots of 24 full books are below 200 kB. */
const MAX_FRAME_BYTES = 2 * 1024 * 1024

/** One connection to the market channel, from handshake to close. */
export type MarketSession = {
  /** Subscribes to what is new among the tokens, and ends the subscription of the others. */
  ask(tokenIds: ReadonlySet<string>): void
  /** Ends it early; `onEnd` is not called. */
  end(): void
  /** When it last brought something about a market, or was started. */
  readonly heardMs: number
  readonly isOpen: boolean
}

export type SessionOptions = {
  url: string
  clock: Clock
  gate: Pick<HostGate, 'check' | 'note'>
  openSocket: OpenSocket
  /** Asked for just now; a snapshot of each will follow. */
  onSubscribed(tokenIds: readonly string[]): void
  onEvent(event: SocketEvent): void
}

export function openMarketSession(
  options: SessionOptions,
  { onOpen, onEnd }: { onOpen(): void; onEnd(reason: string): void },
): MarketSession {
  const { clock } = options
  const socket = options.openSocket(options.url, MAX_FRAME_BYTES)
  let asked: ReadonlySet<string> = new Set()
  let isNamed = false
  let heardMs = clock.now()
  let isOver = false
  let cause = ''
  const stopPings = clock.every(PING_EVERY_MS, () => {
    if (isOpen(socket)) socket.send(PING)
  })
  const end = (): boolean => {
    if (isOver) return false
    isOver = true
    stopPings()
    socket.terminate()
    return true
  }
  noteRefusal(socket, options.gate)
  socket.on('open', () => {
    if (!isOver) onOpen()
  })
  socket.on('message', (data, isBinary) => {
    for (const event of isOver ? [] : readMarketFrame(isBinary ? '' : String(data))) {
      if (!NO_DATA.includes(event.type)) heardMs = clock.now()
      options.onEvent(event)
    }
  })
  // A close always follows; without a listener the error would end the process.
  socket.on('error', (error) => {
    cause = `: ${error.message}`
  })
  socket.on('close', (code) => {
    if (end()) onEnd(`closed with ${code}${cause}`)
  })
  return {
    ask(tokenIds) {
      if (isOver || !isOpen(socket)) return
      const added = [...tokenIds].filter((tokenId) => !asked.has(tokenId))
      const gone = [...asked].filter((tokenId) => !tokenIds.has(tokenId))
      if (added.length > 0) {
        // Only the first frame of a connection names the channel.
        socket.send(isNamed ? changeMarketFrame('subscribe', added) : subscribeMarketFrame(added))
        isNamed = true
        options.onSubscribed(added)
      }
      if (gone.length > 0) socket.send(changeMarketFrame('unsubscribe', gone))
      asked = new Set(tokenIds)
    },
    end: () => void end(),
    get heardMs() {
      return heardMs
    },
    get isOpen() {
      return !isOver && isOpen(socket)
    },
  }
}

/** Signs of life that say nothing about a market. */
const NO_DATA: readonly string[] = ['pong', 'malformed', 'unknown']

const isOpen = (socket: WebSocket) => socket.readyState === socket.OPEN
