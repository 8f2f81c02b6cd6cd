import type { Coin } from '../../core/coin.ts'
import { createBackoff } from '../../core/time/backoff.ts'
import { type Clock, sleep } from '../../core/time/clock.ts'
import type { FeedLog } from '../feed-log.ts'
import type { StreamGauge } from '../stream-health.ts'
import type { VenueClient } from '../venues/venue-client.ts'
import type { TradeSequence } from './trade-sequence.ts'

/** A larger gap is left to the venue's candles: it would take tens of pages and delay live trades. */
export const MAX_REPAIR_TRADES = 10_000
/** Messages that overtook each other arrive within this; asking REST sooner would be wasted. */
const REORDER_GRACE_MS = 200
/** About 15 s with the waits between them. Live trades wait meanwhile. */
const REPAIR_ATTEMPTS = 6
const REPAIR_BOUNDS = { firstMs: 250, maxMs: 8_000 }

/** Fills gaps in a pair's trades over REST, one repair at a time. */
export type TradeRepair = {
  /** A trade came early: repair unless the missing ones arrive by themselves. */
  schedule(): void
  readonly isBusy: boolean
}

type Options = {
  clock: Clock
  client: Pick<VenueClient, 'venue' | 'tradesBetween'>
  coin: Coin
  sequence: TradeSequence
  gauge: StreamGauge
  random: () => number
  signal: AbortSignal
  log: FeedLog
}

export function createTradeRepair(options: Options): TradeRepair {
  const { clock } = options
  let isScheduled = false
  let isBusy = false
  const run = async () => {
    isBusy = true
    try {
      await repairAll(options)
    } catch (error) {
      options.log.warn({ error: String(error) }, 'trade repair broke')
    }
    isBusy = false
    isScheduled = false
  }
  return {
    schedule() {
      if (isScheduled) return
      isScheduled = true
      clock.after(REORDER_GRACE_MS, () => void run())
    },
    get isBusy() {
      return isBusy
    },
  }
}

async function repairAll(options: Options): Promise<void> {
  const { clock, sequence, gauge, random, signal } = options
  const backoff = createBackoff(REPAIR_BOUNDS, random)
  let attempts = 0
  for (let missing = sequence.missing(); missing && !signal.aborted; missing = sequence.missing()) {
    if (attempts >= REPAIR_ATTEMPTS || sequence.isFull) {
      sequence.skip()
      gauge.count('gapsLost')
      attempts = 0
    } else if (await fill(options, missing.fromId, missing.toId)) {
      gauge.count('gapsRepaired')
      attempts = 0
      backoff.reset()
    } else {
      attempts++
      await sleep(clock, backoff.nextMs(), signal)
    }
  }
}

async function fill(
  { client, coin, sequence, log }: Options,
  fromId: number,
  toId: number,
): Promise<boolean> {
  try {
    for (const trade of await client.tradesBetween(coin, fromId, toId)) sequence.accept(trade)
  } catch (error) {
    log.debug({ venue: client.venue, coin, fromId, toId, error: String(error) }, 'trade repair failed')
  }
  return (sequence.nextId ?? 0) > toId
}
