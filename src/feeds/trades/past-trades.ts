import { createBackoff } from '../../core/time/backoff.ts'
import { sleep } from '../../core/time/clock.ts'
import { RETRY_BOUNDS } from '../backoff-bounds.ts'
import type { Trade } from '../events.ts'
import type { FeedOptions } from '../watch-loop.ts'
import { readPastTrades } from './read-past-trades.ts'

/** How long the socket's trades wait for those before them. */
const LIVE_WAIT_MS = 10_000
/** Trades that wait; a busy pair makes about 100 a second. */
const MAX_WAITING = 5_000

/** Puts the trades of the last minutes before the first ones of the socket. */
export type PastTrades = {
  /** Reads them, as often as it takes, until the socket's trades have waited too long. */
  read(): Promise<void>
  /** Trades of the socket. */
  hear(trades: readonly Trade[]): void
  check(): void
  /** Read, or given up: trades of the socket no longer wait. */
  readonly isOver: boolean
  /** A request is under way. */
  readonly isReading: boolean
}

type Options = FeedOptions & {
  /** Gets the past trades, and then those of the socket. */
  take(trade: Trade): void
  hear(trade: Trade): void
}

export function createPastTrades(options: Options): PastTrades {
  const { clock, client, coin, random, signal, log, take, hear } = options
  const givenUp = new AbortController()
  const stopped = AbortSignal.any([signal, givenUp.signal])
  let waiting: Trade[] = []
  let waitingSinceMs: number | undefined
  let isOver = false
  let isReading = true

  const end = () => {
    if (isOver) return
    isOver = true
    givenUp.abort()
    const heard = waiting
    waiting = []
    for (const trade of heard) hear(trade)
  }
  const attempt = async () => {
    isReading = true
    try {
      const past = await readPastTrades(options, clock.now())
      if (stopped.aborted || past.length === 0) return
      for (const trade of past) take(trade)
      end()
    } catch (error) {
      log.debug({ venue: client.venue, coin, error: String(error) }, 'no newest trade')
    } finally {
      isReading = false
    }
  }
  return {
    async read() {
      const backoff = createBackoff(RETRY_BOUNDS, random)
      while (!stopped.aborted) {
        await attempt()
        if (!stopped.aborted) await sleep(clock, backoff.nextMs(), stopped)
      }
    },
    hear(trades) {
      if (isOver) {
        for (const trade of trades) hear(trade)
        return
      }
      waitingSinceMs ??= clock.now()
      waiting.push(...trades)
      if (waiting.length > MAX_WAITING) end()
    },
    check() {
      if (waitingSinceMs !== undefined && clock.now() - waitingSinceMs >= LIVE_WAIT_MS) end()
    },
    get isOver() {
      return isOver
    },
    get isReading() {
      return isReading
    },
  }
}
