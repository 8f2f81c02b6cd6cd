import type { Coin } from '../../core/coin.ts'
import { createBackoff } from '../../core/time/backoff.ts'
import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { RETRY_BOUNDS } from '../backoff-bounds.ts'
import type { FeedSink } from '../events.ts'
import type { FeedLog } from '../feed-log.ts'
import type { TradeRun } from '../trades/trade-run.ts'
import type { Klines, VenueClient } from '../venues/venue-client.ts'

/** A day for the ticker and two hours before it for indicators. */
const HISTORY_MS = 26 * 60 * MINUTE_MS
/** Venues finish a candle a moment after its minute. */
const SETTLE_MS = 3_000
/** A venue that has later candles has said so often that it has none of this minute. */
const DENIALS = 3
/** After so long without a usable answer a minute is given up, if trades show that time went on without it. */
const GIVE_UP_MS = 10 * MINUTE_MS

/**
 * Reads from the venue's own candles every closed minute that our trades do not show to be whole: at start the history,
 * later those of which trades are missing.
 */
export type CandleFeed = {
  /** Called every second; the first call asks for the history. */
  check(): void
  readonly isBusy: boolean
}

type Options = {
  clock: Clock
  client: Pick<VenueClient, 'venue' | 'klines'>
  coin: Coin
  sink: Pick<FeedSink, 'kline' | 'minuteLost'>
  run: Pick<TradeRun, 'covers'>
  random: () => number
  signal: AbortSignal
  log: FeedLog
}

export function createCandleFeed(options: Options): CandleFeed {
  const { clock, client, coin, sink, run, random, signal, log } = options
  const backoff = createBackoff(RETRY_BOUNDS, random)
  /** Wanted minutes by open time, with how often the venue denied them. */
  const wanted = new Map<number, number>()
  const startedMs = floorMinute(clock.now())
  let nextMs = startedMs - HISTORY_MS
  let askAgainMs = Number.NEGATIVE_INFINITY
  let isBusy = false

  const isWhole = (openMs: number) => run.covers(openMs, openMs + MINUTE_MS)
  const lose = (openMs: number) => {
    wanted.delete(openMs)
    sink.minuteLost({ venue: client.venue, coin, openMs })
    log.warn({ venue: client.venue, coin, openMs }, 'a minute is lost: neither trades nor a candle')
  }
  const note = ({ klines, isClean }: Klines, settledMs: number) => {
    const closed = klines.filter(({ openMs }) => openMs + MINUTE_MS <= settledMs)
    for (const kline of closed) if (wanted.delete(kline.openMs)) sink.kline(kline)
    const newestMs = Math.max(...klines.map(({ openMs }) => openMs))
    for (const [openMs, denials] of wanted) {
      if (!isClean || openMs >= newestMs) continue
      if (denials + 1 < DENIALS) wanted.set(openMs, denials + 1)
      else lose(openMs)
    }
  }
  /** Without the history there is no signal, so that is asked for until it comes. */
  const isGivenUp = (openMs: number, nowMs: number) =>
    openMs >= startedMs && nowMs - openMs > GIVE_UP_MS && isWhole(nextMs - MINUTE_MS)
  const review = (nowMs: number) => {
    for (const openMs of wanted.keys()) {
      if (isWhole(openMs) || openMs < nowMs - HISTORY_MS - MINUTE_MS) wanted.delete(openMs)
      else if (isGivenUp(openMs, nowMs)) lose(openMs)
    }
  }
  const read = async () => {
    isBusy = true
    const firstMs = Math.min(...wanted.keys())
    try {
      const askedMs = clock.now()
      // Up to the running minute: a venue that has later candles has finished those before.
      const reply = await client.klines(coin, firstMs, floorMinute(askedMs) + MINUTE_MS)
      if (signal.aborted) return
      note(reply, Math.min(askedMs, reply.venueMs ?? askedMs) - SETTLE_MS)
    } catch (error) {
      log.debug({ venue: client.venue, coin, error: String(error) }, 'candles not read')
    }
    if (wanted.size === 0) backoff.reset()
    else askAgainMs = clock.now() + backoff.nextMs()
    isBusy = false
  }
  return {
    check() {
      const nowMs = clock.now()
      for (; nextMs + MINUTE_MS + SETTLE_MS <= nowMs; nextMs += MINUTE_MS) wanted.set(nextMs, 0)
      if (isBusy || nowMs < askAgainMs) return
      review(nowMs)
      if (wanted.size > 0) void read()
    },
    get isBusy() {
      return isBusy
    },
  }
}

function floorMinute(atMs: number): number {
  return atMs - (atMs % MINUTE_MS)
}
