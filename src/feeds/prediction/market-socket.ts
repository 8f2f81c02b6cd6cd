import { createBackoff } from '../../core/time/backoff.ts'
import { createHostTrouble } from '../../upstreams/rules/host-trouble.ts'
import { CONNECT_BOUNDS } from '../backoff-bounds.ts'
import type { FeedLog } from '../feed-log.ts'
import { type MarketSession, openMarketSession, type SessionOptions } from './market-session.ts'

/** Stalls of minutes were seen in which pings were still answered: only data counts. Four markets change every second. */
const STALLED_MS = 15_000
/** After a connection of this length the backoff starts over. */
const STEADY_MS = 30_000

/** A connection to the market channel for all tokens, replaced when it ends or stalls. */
export type MarketSocket = {
  /** The tokens that are wanted from now on. None: nothing is connected to. */
  want(tokenIds: readonly string[]): void
  /** Called every second: a connection that brings nothing is replaced. */
  check(): void
  drop(reason: string): void
  close(): void
  readonly isOpen: boolean
}

export type SocketOptions = SessionOptions & {
  random: () => number
  log: FeedLog
  /** The connection ended, and with it every subscription. */
  onLost(): void
}

export function createMarketSocket(options: SocketOptions): MarketSocket {
  const { clock, log } = options
  const backoff = createBackoff(CONNECT_BOUNDS, options.random)
  const where = { provider: 'clob', channel: 'socket', host: new URL(options.url).host }
  const trouble = createHostTrouble(where, clock, log)
  let wanted: ReadonlySet<string> = new Set()
  let session: MarketSession | undefined
  let startedMs = clock.now()
  let retryMs = Number.NEGATIVE_INFINITY
  let isClosed = false
  let cancelRetry = () => {}

  const retryLater = () => {
    const waitMs = backoff.nextMs()
    retryMs = clock.now() + waitMs
    cancelRetry = clock.after(waitMs, connect)
    return waitMs
  }
  const lose = (reason: string) => {
    session = undefined
    if (clock.now() - startedMs >= STEADY_MS) backoff.reset()
    options.onLost()
    const waitMs = retryLater()
    trouble.failed(reason)
    log.debug({ source: 'polymarket', reason, waitMs }, 'market stream interrupted')
  }
  const connect = () => {
    if (isClosed || session || wanted.size === 0 || clock.now() < retryMs) return
    const refusal = findRefusal(options)
    if (refusal !== undefined) {
      trouble.failed(refusal)
      return void retryLater()
    }
    startedMs = clock.now()
    session = openMarketSession(options, { onOpen: () => session?.ask(wanted), onEnd: lose })
  }
  const drop = (reason: string) => {
    if (!session) return
    session.end()
    lose(reason)
  }
  return {
    want(tokenIds) {
      wanted = new Set(tokenIds)
      if (session) session.ask(wanted)
      else connect()
    },
    check() {
      trouble.check()
      // Only data shows that it works.
      if (session && session.heardMs > startedMs) trouble.succeeded()
      if (session && wanted.size > 0 && clock.now() - session.heardMs >= STALLED_MS) drop('no data')
    },
    drop,
    close() {
      isClosed = true
      cancelRetry()
      session?.end()
      session = undefined
    },
    get isOpen() {
      return session?.isOpen ?? false
    },
  }
}

function findRefusal({ gate }: SocketOptions): unknown {
  try {
    gate.check()
    return undefined
  } catch (error) {
    return error
  }
}
