import { sleep } from '../../core/time/clock.ts'
import { createBackoff, RECONNECT_BOUNDS } from '../backoff.ts'
import { SETTLE_MS } from '../candles/candle-feed.ts'
import type { Trade } from '../events.ts'
import { type Feed, type FeedOptions, watchLoop } from '../watch-loop.ts'
import { createIdCheck } from './id-check.ts'
import { type PastTrades, readPastTrades } from './past-trades.ts'
import { createTradeProbe } from './trade-probe.ts'
import { createTradeRepair, MAX_REPAIR_TRADES } from './trade-repair.ts'
import { createTradeSequence, type TradeSequence } from './trade-sequence.ts'

/** Attempts to read past trades before the stream starts. */
const PAST_ATTEMPTS = 3

export type TradeFeedOptions = FeedOptions & {
  /** Minutes from `fromMs` to `toMs` lack trades and must be read from the venue's candles. */
  onIncomplete(fromMs: number, toMs: number): void
  /** False only in tests, to show what repairs are for. */
  repairsGaps: boolean
}

/**
 * A pair's trades, each once and in order: first those of the last minutes, as if we had listened to them, then those
 * of the socket. What the socket lost is fetched; what cannot be fetched is reported as a gap.
 */
export function createTradeFeed(options: TradeFeedOptions): Feed {
  const { clock, client, coin, sink, gauge, repairsGaps } = options
  const startedMs = clock.now()
  const sequence = createTradeSequence({ maxGap: MAX_REPAIR_TRADES, emit: sink.trade })
  const lose = (fromMs: number) =>
    reportGap(options, fromMs, Math.max(fromMs, sequence.lastAtMs ?? clock.now()))
  const repair = createTradeRepair({ ...options, sequence, onLost: lose })
  const take = (trade: Trade) => {
    const beforeMs = sequence.lastAtMs
    const accepted = sequence.accept(trade)
    if (accepted === 'jump') gauge.count('gapsLost')
    // Trades before the very first one may be missing.
    if (accepted === 'jump' || beforeMs === undefined) lose(beforeMs ?? startedMs)
    if (accepted === 'early' && !repairsGaps) sequence.skip()
    else if (accepted === 'early' || accepted === 'jump') repair.schedule()
    return accepted
  }
  const probe = createTradeProbe({ ...options, sequence, take })
  const idCheck = createIdCheck({
    ...options,
    sequence,
    onMoved(fromMs) {
      gauge.count('gapsLost')
      lose(fromMs)
    },
  })
  let isStarted = false

  const hear = (trade: Trade) => {
    const accepted = take(trade)
    if (accepted !== 'duplicate') idCheck.progress()
    else idCheck.duplicate()
    if (accepted === 'duplicate') gauge.count('duplicates')
    else if (accepted === 'suspect') gauge.count('malformed')
    else gauge.arrived(trade.atMs)
  }

  return {
    async run() {
      await startFromPast(options, sequence)
      isStarted = true
      await watchLoop(options, async () => {
        for (const trade of await client.watchTrades(coin)) hear(trade)
      })
    },
    check() {
      if (repairsGaps && isStarted) probe.check()
    },
    get isBusy() {
      return !isStarted || repair.isBusy || probe.isBusy || idCheck.isBusy
    },
  }
}

function reportGap(
  { client, coin, sink, log, onIncomplete }: TradeFeedOptions,
  fromMs: number,
  toMs: number,
): void {
  const { venue } = client
  sink.tradeGap({ venue, coin, fromMs, toMs })
  onIncomplete(fromMs, toMs)
  // Debug only, since a start may have one. Gaps that remain are counted in health.
  log.debug({ venue, coin, fromMs, toMs }, 'trades missing, candles will be read')
}

/** Starts the sequence with past trades, so that a gap before the first trade of the socket is noticed. */
async function startFromPast(options: TradeFeedOptions, sequence: TradeSequence): Promise<void> {
  const past = await tryReadPast(options)
  for (const trade of past?.trades ?? []) sequence.accept(trade)
  if (past?.isWhole) return
  const nowMs = options.clock.now()
  const missingToMs = past?.trades[0]?.atMs ?? nowMs
  // The candles that are read at start end before a minute that has only just closed.
  reportGap(options, Math.min(nowMs - SETTLE_MS, missingToMs), missingToMs)
}

async function tryReadPast(options: TradeFeedOptions): Promise<PastTrades | undefined> {
  const { clock, client, coin, random, signal, log } = options
  const backoff = createBackoff(RECONNECT_BOUNDS, random)
  for (let attempt = 0; attempt < PAST_ATTEMPTS && !signal.aborted; attempt++) {
    try {
      return await readPastTrades(options, clock.now())
    } catch (error) {
      log.warn({ venue: client.venue, coin, error: String(error) }, 'no newest trade')
      await sleep(clock, backoff.nextMs(), signal)
    }
  }
  return undefined
}
