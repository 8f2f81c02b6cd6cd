import type { WebSocket } from 'ws'
import type { Secret } from '../../core/secret.ts'
import { createBackoff } from '../../core/time/backoff.ts'
import { type Clock, sleep } from '../../core/time/clock.ts'
import type { HostGate } from '../../upstreams/rules/host-gate.ts'
import { CONNECT_BOUNDS } from '../backoff-bounds.ts'
import type { FeedSink } from '../events.ts'
import type { FeedLog } from '../feed-log.ts'
import { noteRefusal } from '../open-socket.ts'
import type { StreamGauge } from '../stream-health.ts'
import { authFrame, findPolyBoltFrame, type PolyBoltFrame, subscribeFrame } from './polybolt-wire.ts'

/** Prices come once a second, one or two seconds late. */
const ORACLE_STALLED_MS = 10_000
/** After a breach of its policy the service asks not to retry. */
const POLICY_WAIT_MS = 10 * 60_000
/** Keys may also be refused because the service itself is in trouble. */
const REFUSED_WAIT_MS = 20_000
/** When a node shuts down, the service asks clients to reconnect at random within this time. */
const DRAIN_SPREAD_MS = 10_000
/** After a connection of this length the backoff starts over. */
const STEADY_MS = 10_000

const CLOSE_AUTH = 4001
const CLOSE_DRAIN = 4003
const CLOSE_POLICY = 4008
/** Our own code, never sent: a gap in the sequence, or no data. */
const CLOSE_OURS = 4900

export type OracleKeys = { apiKey: Secret; secret: Secret; passphrase: Secret }

type Options = {
  url: string
  keys: OracleKeys
  clock: Clock
  sink: Pick<FeedSink, 'oracle'>
  gate: Pick<HostGate, 'check' | 'note'>
  gauge: StreamGauge
  random: () => number
  signal: AbortSignal
  log: FeedLog
  openSocket(url: string): WebSocket
}

export type OracleFeed = { run(): Promise<void>; check(): void; reconnect(): void }

/** Oracle prices of all coins over one connection. After a gap it reconnects: the new snapshot has the lost ticks. */
export function createPolyBoltFeed(options: Options): OracleFeed {
  const { clock, gauge, random, signal, log } = options
  const backoff = createBackoff(CONNECT_BOUNDS, random)
  let end: (code: number) => void = () => {}
  let openedMs = clock.now()

  return {
    async run() {
      signal.addEventListener('abort', () => end(CLOSE_OURS), { once: true })
      while (!signal.aborted) {
        gauge.become('connecting')
        openedMs = clock.now()
        const code = await new Promise<number>((resolve) => {
          if (isRefused(options)) resolve(CLOSE_OURS)
          else end = openSession(options, resolve)
        })
        if (signal.aborted) return
        if (clock.now() - openedMs >= STEADY_MS) backoff.reset()
        const waitMs = waitAfter(code, backoff.nextMs(), random)
        gauge.count('reconnects')
        gauge.become('backoff')
        log.info({ source: 'polybolt', code, waitMs }, 'oracle stream interrupted')
        await sleep(clock, waitMs, signal)
      }
    },
    check() {
      const silentMs = Math.min(gauge.ageMs() ?? Number.POSITIVE_INFINITY, clock.now() - openedMs)
      if (gauge.state === 'backoff' || silentMs < ORACLE_STALLED_MS) return
      gauge.become('stalled')
      end(CLOSE_OURS)
    },
    reconnect: () => end(CLOSE_OURS),
  }
}

function isRefused({ gate, log }: Options): boolean {
  try {
    gate.check()
    return false
  } catch (error) {
    log.info({ source: 'polybolt', error: String(error) }, 'oracle not connected')
    return true
  }
}

function waitAfter(code: number, backoffMs: number, random: () => number): number {
  if (code === CLOSE_POLICY) return POLICY_WAIT_MS
  if (code === CLOSE_AUTH) return REFUSED_WAIT_MS * (0.75 + random() / 2)
  return code === CLOSE_DRAIN ? random() * DRAIN_SPREAD_MS : backoffMs
}

/** One connection from handshake to close. `onEnd` is called once; the returned function ends it early. */
function openSession(options: Options, onEnd: (code: number) => void): (code: number) => void {
  const { url, keys, gate, openSocket } = options
  const socket = openSocket(url)
  noteRefusal(socket, gate)
  const read = createReader(options)
  let isOver = false
  const end = (code: number) => {
    if (isOver) return
    isOver = true
    socket.close()
    onEnd(code)
  }
  socket.on('open', () => {
    const { apiKey, secret, passphrase } = keys
    socket.send(
      authFrame({ apiKey: apiKey.reveal(), secret: secret.reveal(), passphrase: passphrase.reveal() }),
    )
  })
  socket.on('message', (data) => {
    if (isOver) return
    const wanted = read(String(data))
    if (wanted === 'subscribe') socket.send(subscribeFrame())
    else if (wanted !== undefined) end(wanted)
  })
  socket.on('close', end)
  // A close always follows; without a listener the error would end the process.
  socket.on('error', () => {})
  return end
}

/** What to do after a frame: subscribe, close with a code, or nothing. */
function createReader({
  clock,
  sink,
  gauge,
  log,
}: Options): (text: string) => 'subscribe' | number | undefined {
  const lastSeqs = new Map<string, number>()
  const takePrices = ({ channel, seq, ticks }: Extract<PolyBoltFrame, { type: 'prices' }>) => {
    const last = lastSeqs.get(channel) ?? 0
    if (seq <= last) {
      gauge.count('duplicates')
      return undefined
    }
    if (seq > last + 1) {
      gauge.count('gapsRepaired')
      return CLOSE_OURS
    }
    lastSeqs.set(channel, seq)
    for (const tick of ticks) sink.oracle(tick)
    const newest = ticks.at(-1)
    if (newest) gauge.arrived(newest.atMs)
    return undefined
  }
  return (text) => {
    const frame = findPolyBoltFrame(text, clock.now())
    if (!frame) {
      gauge.count('malformed')
      return undefined
    }
    if (frame.type === 'prices') return takePrices(frame)
    if (frame.op === 'authed') return 'subscribe'
    if (frame.op !== 'error') return undefined
    log.warn({ source: 'polybolt', code: frame.code }, 'oracle refused')
    return CLOSE_AUTH
  }
}
