import type { RedisConnection } from '../../access/redis/connection.ts'
import { describeRedisFault } from '../../access/redis/redis-fault.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import type { FeedsHealth } from '../../feeds/feeds.ts'
import { teeSink } from '../../feeds/tee-sink.ts'
import { createTradeListeners, type TradeListeners } from '../../feeds/trade-listeners.ts'
import { createMarket, type Market } from '../../market/market.ts'
import type { SettledTrades } from '../values/bot-value.ts'
import { createRelayLog } from '../wire/relay-log.ts'
import { createFollower, type Follower } from './follower.ts'
import { createHeardValues } from './heard-values.ts'
import { createHearing } from './hearing.ts'
import { createRelayedBot, type RelayedBot } from './relayed-bot.ts'
import { createRelayedLists, type RelayedLists } from './relayed-lists.ts'
import { createRelayedMarket } from './relayed-market.ts'
import { createRelayedSignals, type RelayedSignals } from './relayed-signals.ts'
import { createRelayedWindows, type RelayedWindows } from './relayed-windows.ts'

/**
 * What the engine knows, in another process: the same objects that handlers read there. While the engine is not heard
 * each answers like one without data.
 */
export type Subscriber = Pick<RelayedLists, 'list' | 'account'> & {
  /** Every trade that is told from now on; those of a state that is read whole are not told one by one. */
  onTrade: TradeListeners['onTrade']
  market: Market
  signals: RelayedSignals
  fiveMinute: RelayedWindows
  bot: RelayedBot
  /** Undefined while the engine is not heard. */
  feedsHealth(): FeedsHealth | undefined
  /** Called when the public record has another number of leaves. */
  onRecord(listener: (treeSize: number) => void): void
  /** Called with the newest trades whose rows are in the ledger, when there is another one. */
  onSettled(listener: (settled: SettledTrades) => void): void
  /** Since the engine said what is known; infinity before the first time. */
  age(): number
  /** Why nothing is served; undefined while the engine is heard. */
  missing(): string | undefined
  ready(): boolean
  counts(): ReturnType<Follower['counts']>
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
  stop(): Promise<void>
}

export type SubscriberOptions = {
  redis: Pick<RedisConnection, 'run'>
  /** Of `keyPrefix`. */
  prefix: string
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
}

const POLL_MS = 40
/** An engine that said nothing for so long is not served any more: it speaks ten times a second. */
export const STALE_AFTER_MS = 2 * SECOND_MS
/** A connection is made, and all that is known is read: until then nobody is told that nothing was heard. */
const FIRST_WORD_WITHIN_MS = 5 * SECOND_MS

export function openSubscriber(options: SubscriberOptions): Subscriber {
  const { clock, log } = options
  const relay = createRelayLog(options)
  const own = createMarket({ clock })
  const trades = createTradeListeners()
  const fed = { ...own, sink: teeSink(own.sink, trades.sink) }
  const values = createHeardValues(log)
  const hearing = createHearing(clock)
  const follower = createFollower({ relay, market: fed, values, hearing })
  let lost: string | undefined
  const missing = () => {
    const ageMs = hearing.ageMs()
    if (ageMs <= STALE_AFTER_MS) return undefined
    const why = lost ?? follower.why() ?? 'it may be restarting'
    return ageMs === Number.POSITIVE_INFINITY
      ? `the engine was not heard yet: ${why}`
      : `the engine was last heard ${(ageMs / SECOND_MS).toFixed(1)} s ago: ${why}`
  }
  const openedMs = clock.now()
  const isOpening = () =>
    hearing.ageMs() === Number.POSITIVE_INFINITY && clock.now() - openedMs < FIRST_WORD_WITHIN_MS
  const noteHeard = createHeardLog(log, () => (isOpening() ? undefined : missing()))
  const poll = async () => {
    try {
      await follower.poll()
      lost = undefined
    } catch (error) {
      lost = describeRedisFault(error)
    }
    noteHeard()
    polling = undefined
  }
  let polling: Promise<void> | undefined
  const stopPolls = clock.every(POLL_MS, () => {
    polling ??= poll()
  })
  const lists = createRelayedLists({ clock, log, relay, values, missing })
  return {
    market: createRelayedMarket(clock, own, () => missing() === undefined),
    signals: createRelayedSignals(values, missing),
    fiveMinute: createRelayedWindows({ clock, values, missing }),
    list: lists.list,
    account: lists.account,
    bot: createRelayedBot(values, missing),
    onTrade: trades.onTrade,
    feedsHealth: () => (missing() === undefined ? values.get('feeds') : undefined),
    onRecord: (listener) =>
      values.onChange((name) => {
        const treeSize = name === 'record' ? values.get('record')?.treeSize : undefined
        if (treeSize !== undefined) listener(treeSize)
      }),
    onSettled: (listener) =>
      values.onChange((name) => {
        const settled = name === 'settled' ? values.get('settled') : undefined
        if (settled) listener(settled)
      }),
    age: hearing.ageMs,
    missing,
    ready: () => missing() === undefined,
    counts: follower.counts,
    async idle() {
      while (polling) await polling
      await lists.idle()
    },
    async stop() {
      stopPolls()
      lists.stop()
      await polling
    },
  }
}

/** One line when the engine is not heard any more, and one when it is again. */
function createHeardLog(log: SubscriberOptions['log'], missing: () => string | undefined): () => void {
  let wasHeard = true
  return () => {
    const why = missing()
    if (wasHeard === (why === undefined)) return
    wasHeard = why === undefined
    if (why === undefined) log.info({}, 'the engine is heard')
    else log.warn({ why }, 'nothing of the engine is served')
  }
}
