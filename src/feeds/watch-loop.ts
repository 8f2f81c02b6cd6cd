import type { Coin } from '../core/coin.ts'
import { createBackoff } from '../core/time/backoff.ts'
import { type Clock, sleep } from '../core/time/clock.ts'
import { STREAM_BOUNDS } from './backoff-bounds.ts'
import type { FeedSink } from './events.ts'
import type { FeedLog } from './feed-log.ts'
import type { StreamGauge } from './stream-health.ts'
import type { VenueClient } from './venues/venue-client.ts'

/** After this long without an error the backoff starts over. A stream that fails more often keeps its long waits. */
const STEADY_MS = 10_000

/** One stream of one pair. */
export type Feed = {
  /** Runs until the signal aborts; never rejects. */
  run(): Promise<void>
  /** Called every second: restarts the stream when its data is stale. */
  check(): void
  readonly isBusy: boolean
}

export type FeedOptions = {
  clock: Clock
  client: VenueClient
  coin: Coin
  sink: FeedSink
  gauge: StreamGauge
  random: () => number
  signal: AbortSignal
  log: FeedLog
}

/** Repeats `step` until the signal aborts. After an error it waits, longer each time. */
export async function watchLoop(
  { clock, gauge, random, signal, log, coin, client }: FeedOptions,
  step: () => Promise<void>,
): Promise<void> {
  const backoff = createBackoff(STREAM_BOUNDS, random)
  let resumedMs = clock.now()
  while (!signal.aborted) {
    try {
      await step()
      if (clock.now() - resumedMs >= STEADY_MS) backoff.reset()
    } catch (error) {
      if (signal.aborted) return
      const waitMs = backoff.nextMs()
      gauge.count('reconnects')
      gauge.become('backoff')
      log.debug({ venue: client.venue, coin, waitMs, error: String(error) }, 'stream interrupted')
      await sleep(clock, waitMs, signal)
      gauge.become('connecting')
      resumedMs = clock.now()
    }
  }
}
