import { sleep } from '../../core/clock.ts'
import { createBackoff, RECONNECT_BOUNDS } from '../backoff.ts'
import { SETTLE_MS } from '../candles/candle-feed.ts'
import type { Trade } from '../events.ts'
import { type Feed, type FeedOptions, watchLoop } from '../watch-loop.ts'
import { createTradeProbe } from './trade-probe.ts'
import { createTradeRepair, MAX_REPAIR_TRADES } from './trade-repair.ts'
import { createTradeSequence, type TradeSequence } from './trade-sequence.ts'

/** Tries to learn the newest id before the stream starts; without it the first trade of the stream is the first. */
const ANCHOR_ATTEMPTS = 3

export type TradeFeedOptions = FeedOptions & {
  /** Minutes from `fromMs` to `toMs` lack trades and must be read from the venue's candles. */
  onIncomplete(fromMs: number, toMs: number): void
  /** Off only to show what it is for. */
  repairsGaps: boolean
}

/** A pair's trades, each once and in order. What the socket lost is fetched; what cannot be fetched is told. */
export function createTradeFeed(options: TradeFeedOptions): Feed {
  const { clock, client, coin, sink, gauge, repairsGaps } = options
  const startedMs = clock.now()
  const sequence = createTradeSequence({ maxGap: MAX_REPAIR_TRADES, emit: sink.trade })
  const lose = (fromMs: number) =>
    tellGap(options, fromMs, Math.max(fromMs, sequence.lastAtMs ?? clock.now()))
  const repair = createTradeRepair({ ...options, sequence, onLost: lose })
  const take = (trade: Trade) => {
    const accepted = sequence.accept(trade)
    if (accepted === 'early' && !repairsGaps) sequence.skip()
    else if (accepted === 'early' || accepted === 'jump') repair.schedule()
    return accepted
  }
  const probe = createTradeProbe({ ...options, sequence, take })
  let isAnchored = false

  const hear = (trade: Trade) => {
    const beforeMs = sequence.lastAtMs
    const accepted = take(trade)
    if (accepted === 'duplicate') gauge.count('duplicates')
    else if (accepted === 'suspect') gauge.count('malformed')
    else gauge.arrived(trade.atMs)
    if (accepted === 'jump') gauge.count('gapsLost')
    // Before the first trade ever there may have been others.
    if (accepted === 'jump' || beforeMs === undefined) lose(beforeMs ?? startedMs)
  }

  return {
    async run() {
      await anchor(options, sequence)
      isAnchored = true
      await watchLoop(options, async () => {
        for (const trade of await client.watchTrades(coin)) hear(trade)
      })
    },
    check() {
      if (repairsGaps) probe.check()
    },
    get isBusy() {
      return !isAnchored || repair.isBusy || probe.isBusy
    },
  }
}

function tellGap(
  { client, coin, sink, log, onIncomplete }: TradeFeedOptions,
  fromMs: number,
  toMs: number,
): void {
  const { venue } = client
  sink.tradeGap({ venue, coin, fromMs, toMs })
  onIncomplete(fromMs, toMs)
  // Every start has one: what traded before it is read as candles. Gaps that stay are counted in health.
  log.debug({ venue, coin, fromMs, toMs }, 'trades missing, candles will be read')
}

/** Starts the sequence at the newest trade there is, so that the very first lost one is noticed. */
async function anchor(options: TradeFeedOptions, sequence: TradeSequence): Promise<void> {
  const { clock, client, coin, random, signal, log } = options
  const backoff = createBackoff(RECONNECT_BOUNDS, random)
  for (let attempt = 0; attempt < ANCHOR_ATTEMPTS && !signal.aborted; attempt++) {
    try {
      const latest = await client.latestTrade(coin)
      if (latest) sequence.accept(latest)
      break
    } catch (error) {
      log.warn({ venue: client.venue, coin, error: String(error) }, 'no newest trade')
      await sleep(clock, backoff.nextMs(), signal)
    }
  }
  const toMs = clock.now()
  // The candle of a minute that has only just closed is not read at start, so its trades count as missing too.
  const fromMs = Math.min(toMs - SETTLE_MS, sequence.lastAtMs ?? toMs)
  tellGap(options, fromMs, toMs)
}
