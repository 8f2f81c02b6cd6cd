import { openRedis } from '../../access/redis/connection.ts'
import { keyPrefix } from '../../access/redis/key-prefix.ts'
import { createResults } from '../../bot/results/results.ts'
import type { Config } from '../../config/config.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import { waitUntil } from '../../core/time/wait-until.ts'
import type { Store } from '../../ledger/ports/store.ts'
import { createPublicBot } from '../../products/bot/public-bot.ts'
import { createSettledFollower } from '../../relay/read/settled-follower.ts'
import { openSubscriber, type Subscriber } from '../../relay/read/subscriber.ts'
import { openIntel } from '../intel/intel.ts'
import type { OutsideWorld } from '../outside-world.ts'
import { findPolyAccount } from '../poly-account.ts'
import type { Known } from './known.ts'

type Ports = {
  config: Config
  world: OutsideWorld
  store: Pick<Store, 'bot' | 'demo' | 'identity'>
  clock: Clock
  log: Log
}
/** What another process follows, as it tells of it. */
export type FollowedEngine = Known & Pick<Subscriber, 'onRecord'>

/** An engine that is down must not keep this process from starting: what needs it answers 503 until it is heard. */
const FIRST_WORD_WAIT_MS = 6 * SECOND_MS

export async function followEngine({ config, world, store, clock, log }: Ports): Promise<FollowedEngine> {
  const identity = await store.identity.find()
  if (!config.redisUrl || !identity) throw new Error('an engine is heard over Redis, and on a ledger')
  const redis = openRedis({ url: config.redisUrl.reveal(), log })
  const relay = openSubscriber({ redis, prefix: keyPrefix(identity), clock, log })
  const { market, signals, fiveMinute, list, onTrade, onRecord, missing } = relay
  const results = createResults({ book: store.bot, clock, log })
  const settled = createSettledFollower({ log, book: store.bot, results })
  relay.onSettled(settled.hear)
  const feeds = { health: () => relay.feedsHealth() ?? NOTHING_HEARD }
  const open = { market, signals, onTrade, feeds }
  const account = hasAccount(config, world) ? relay.account : undefined
  const venue = { fiveMinute, services: { fiveMinute, list, account }, counters: () => [] }
  const intel = openIntel({ config, world, open, venue, counters: store.demo, clock, log })
  return {
    ...{ open, venue, intel, onRecord, missing, history: undefined },
    trading: { bot: relay.bot, publicBot: publicBotOf(relay, store, clock), results, counters: () => [] },
    async start() {
      await Promise.all([results.load(), waitUntil(clock, relay.ready, FIRST_WORD_WAIT_MS)])
      await intel.start()
    },
    async stop() {
      intel.stop()
      await relay.stop()
      await settled.idle()
      await results.idle()
      redis.close()
    },
  }
}

const NOTHING_HEARD = { streams: [], unreadable: { binance: 0, coinbase: 0 } } as const

/** The engine reads it; here it is only known whether there is one. */
const hasAccount = (config: Config, world: OutsideWorld) =>
  config.polyWallet !== undefined || 'account' in findPolyAccount(config, world)

function publicBotOf({ bot }: Subscriber, store: Pick<Store, 'bot'>, clock: Clock) {
  const { status, wallet } = bot
  // The engine compares the account with the ledger, and tells what it found.
  const balance = async () => {
    throw new Error('the account is asked by the engine')
  }
  return { ...createPublicBot({ clock, book: store.bot, bot: { status, balance } }), wallet }
}
