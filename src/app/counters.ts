import { createRateCounters } from '../access/rate-counters.ts'
import { openRedis, type RedisConnection } from '../access/redis/connection.ts'
import { createRedisDemoCounters } from '../access/redis/demo-counters.ts'
import { keyPrefix } from '../access/redis/key-prefix.ts'
import { createRedisRateCounters } from '../access/redis/rate-counters.ts'
import { createSellingCounters } from '../access/selling-counters.ts'
import type { RateCounters } from '../catalog/rate-limit.ts'
import type { Config } from '../config/config.ts'
import type { Log } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import type { DemoCounters } from '../ledger/ports/demo-counters.ts'
import type { Store } from '../ledger/ports/store.ts'

export type OpenCounters = {
  /** Limits of calls. */
  rates: RateCounters
  /** Calls that are free, and those of holders. */
  calls: DemoCounters
  /** Resolves when Redis answers; undefined where counts are not kept there. */
  ping: (() => Promise<void>) | undefined
  /** Where processes share more than counts; undefined where there is no Redis. */
  shared: { redis: RedisConnection; prefix: string } | undefined
  close(): void
}
type Ports = {
  config: Pick<Config, 'redisUrl'>
  clock: Clock
  log: Log
  store: Pick<Store, 'demo' | 'identity'>
}

/** In Redis, for all processes together, or in this process and its ledger. Waits for no connection. */
export async function openCounters({ config, clock, log, store }: Ports): Promise<OpenCounters> {
  const own = createRateCounters({ clock })
  const identity = config.redisUrl && (await store.identity.find())
  if (!config.redisUrl || !identity)
    return { rates: own, calls: store.demo, ping: undefined, shared: undefined, close: () => {} }
  const redis = openRedis({ url: config.redisUrl.reveal(), log })
  const prefix = keyPrefix(identity)
  return {
    rates: createSellingCounters({ shared: createRedisRateCounters({ redis, prefix }), own }),
    calls: createRedisDemoCounters({ redis, prefix }),
    ping: redis.ping,
    shared: { redis, prefix },
    close: redis.close,
  }
}
