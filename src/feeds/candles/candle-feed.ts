import type { Coin } from '../../core/coin.ts'
import { type Clock, sleep } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { createBackoff } from '../backoff.ts'
import type { FeedSink, Kline } from '../events.ts'
import type { FeedLog } from '../feed-log.ts'
import type { VenueClient } from '../venues/venue-client.ts'

/** A day for the ticker and two hours before it for indicators. */
const HISTORY_MS = 26 * 60 * MINUTE_MS
/** Venues finish a candle a moment after its minute. */
export const SETTLE_MS = 3_000
/** With the waits between them about an hour and a half. */
const HISTORY_ATTEMPTS = 200
const HISTORY_BOUNDS = { firstMs: 500, maxMs: 30_000 }
/** How often an incomplete minute is read again, at most. */
const REREAD_ATTEMPTS = 5
const REREAD_EVERY_MS = 10_000
/** Minutes on the list at once; the oldest are dropped. */
const MAX_LISTED = 2_000

/** Reads the venue's own candles: all at start, later those whose trades we could not get. */
export type CandleFeed = {
  seed(): Promise<void>
  reread(fromMs: number, toMs: number): void
  check(): void
  readonly isBusy: boolean
}

type Options = {
  clock: Clock
  client: Pick<VenueClient, 'venue' | 'klines'>
  coin: Coin
  sink: Pick<FeedSink, 'kline'>
  random: () => number
  signal: AbortSignal
  log: FeedLog
}

export function createCandleFeed({ clock, client, coin, sink, random, signal, log }: Options): CandleFeed {
  const attemptsByMinute = new Map<number, number>()
  let isBusy = false
  let readMs = Number.NEGATIVE_INFINITY

  const read = async (fromMs: number, toMs: number) => {
    // The candle of a minute that is open, or has only just closed, may still change.
    const lastMs = clock.now() - SETTLE_MS - MINUTE_MS
    const klines = (await client.klines(coin, fromMs, toMs)).filter(({ openMs }) => openMs <= lastMs)
    for (const kline of klines) sink.kline(kline)
    return klines
  }
  const rereadDue = async (due: readonly number[]) => {
    try {
      settle(attemptsByMinute, due, await read(Math.min(...due), Math.max(...due) + MINUTE_MS))
    } catch (error) {
      log.warn({ venue: client.venue, coin, error: String(error) }, 'candles not read again')
    }
    isBusy = false
  }

  return {
    async seed() {
      isBusy = true
      const backoff = createBackoff(HISTORY_BOUNDS, random)
      for (let attempt = 0; attempt < HISTORY_ATTEMPTS && !signal.aborted; attempt++) {
        try {
          const toMs = floorMinute(clock.now())
          await read(toMs - HISTORY_MS, toMs)
          break
        } catch (error) {
          log.warn({ venue: client.venue, coin, error: String(error) }, 'no candle history yet')
          await sleep(clock, backoff.nextMs(), signal)
        }
      }
      isBusy = false
    },
    reread(fromMs, toMs) {
      for (let openMs = floorMinute(fromMs); openMs <= toMs; openMs += MINUTE_MS)
        attemptsByMinute.set(openMs, 0)
      for (const openMs of attemptsByMinute.keys()) {
        if (attemptsByMinute.size <= MAX_LISTED) break
        attemptsByMinute.delete(openMs)
      }
    },
    check() {
      const nowMs = clock.now()
      if (isBusy || attemptsByMinute.size === 0 || nowMs - readMs < REREAD_EVERY_MS) return
      const due = [...attemptsByMinute.keys()].filter((openMs) => openMs + MINUTE_MS + SETTLE_MS <= nowMs)
      if (due.length === 0) return
      isBusy = true
      readMs = nowMs
      void rereadDue(due)
    },
    get isBusy() {
      return isBusy
    },
  }
}

/** Removes what was read; what the venue did not return is tried again a few times. */
function settle(attemptsByMinute: Map<number, number>, due: readonly number[], read: readonly Kline[]): void {
  const known = new Set(read.map(({ openMs }) => openMs))
  for (const openMs of due) {
    const attempts = (attemptsByMinute.get(openMs) ?? 0) + 1
    if (known.has(openMs) || attempts >= REREAD_ATTEMPTS) attemptsByMinute.delete(openMs)
    else attemptsByMinute.set(openMs, attempts)
  }
}

function floorMinute(atMs: number): number {
  return atMs - (atMs % MINUTE_MS)
}
