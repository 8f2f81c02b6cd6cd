import type { Trade } from '../events.ts'
import { type Feed, type FeedOptions, watchLoop } from '../watch-loop.ts'
import { createIdCheck } from './id-check.ts'
import { createPastTrades } from './past-trades.ts'
import { createTradeProbe } from './trade-probe.ts'
import { createTradeRepair, MAX_REPAIR_TRADES } from './trade-repair.ts'
import { createTradeSequence } from './trade-sequence.ts'

export type TradeFeedOptions = FeedOptions & {
  /** False only in tests, to show what repairs are for. */
  repairsGaps: boolean
}

/**
 * A pair's trades, each once and in order: first those of the last minutes, as if we had listened to them, then those
 * of the socket. What the socket lost is fetched; where that fails the ids show that trades are missing.
 */
export function createTradeFeed(options: TradeFeedOptions): Feed {
  const { clock, client, coin, sink, gauge, repairsGaps } = options
  const { venue } = client
  const sequence = createTradeSequence({ maxGap: MAX_REPAIR_TRADES, emit: sink.trade })
  const doubt = () => sink.tradeDoubt({ venue, coin, atMs: clock.now() })
  const repair = createTradeRepair({ ...options, sequence })
  const take = (trade: Trade) => {
    const accepted = sequence.accept(trade)
    if (accepted === 'jump') gauge.count('gapsLost')
    if (accepted === 'early' && !repairsGaps) sequence.skip()
    else if (accepted === 'early' || accepted === 'jump') repair.schedule()
    if (accepted === 'early') doubt()
    return accepted
  }
  const probe = createTradeProbe({ ...options, sequence, take, onDoubt: doubt })
  const idCheck = createIdCheck({
    ...options,
    sequence,
    onDoubt: doubt,
    onMoved: () => gauge.count('gapsLost'),
  })
  const hear = (trade: Trade) => {
    const accepted = take(trade)
    if (accepted !== 'duplicate') idCheck.progress()
    else idCheck.duplicate()
    if (accepted === 'duplicate') gauge.count('duplicates')
    else if (accepted === 'suspect') gauge.count('malformed')
    else gauge.arrived(trade.atMs)
  }
  const past = createPastTrades({ ...options, take, hear })

  const watch = async () => {
    try {
      past.hear(await client.watchTrades(coin))
    } catch (error) {
      doubt()
      throw error
    }
  }
  return {
    async run() {
      await Promise.all([past.read(), watchLoop(options, watch)])
    },
    check() {
      past.check()
      if (repairsGaps) probe.check()
    },
    get isBusy() {
      return past.isReading || repair.isBusy || probe.isBusy || idCheck.isBusy
    },
  }
}
