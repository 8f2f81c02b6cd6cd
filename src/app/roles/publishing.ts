import { openRedis } from '../../access/redis/connection.ts'
import { keyPrefix } from '../../access/redis/key-prefix.ts'
import type { Config } from '../../config/config.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Store } from '../../ledger/ports/store.ts'
import type { Leadership } from '../../ledger/postgres/leader/leadership.ts'
import { openPublisher } from '../../relay/publish/publisher.ts'
import type { Sources } from '../../relay/publish/sources.ts'
import { createRelayLog } from '../../relay/wire/relay-log.ts'
import type { Engine } from '../engine.ts'
import { createHandOver, type HandOver } from './hand-over.ts'

type Ports = {
  config: Pick<Config, 'redisUrl'>
  clock: Clock
  log: Log
  store: Pick<Store, 'identity'>
  leadership: Pick<Leadership, 'term' | 'isAwaited' | 'close'>
  engine: Engine
}
export type Publishing = {
  /** Aborted where an engine of a later term publishes. */
  over: AbortSignal
  /** Tells of the record too, from now on. */
  tellRecord(record: Sources['record']): void
  begin: HandOver['begin']
  /** Ends the term with it. */
  stop(): Promise<void>
}

/** Until the record is read: nobody who follows it goes back to fewer leaves. */
const NO_LEAVES = { head: undefined }

/** Tells every other process what this engine knows, in the term that it leads in. */
export async function publishEngine(ports: Ports): Promise<Publishing> {
  const { config, clock, log, store, leadership, engine } = ports
  const { open, venue, trading } = engine
  const identity = await store.identity.find()
  const epoch = leadership.term()
  if (!config.redisUrl || !identity || epoch === undefined)
    throw new Error('what an engine knows is told over Redis, on a ledger and by the one that leads')
  // A connection of its own: a long list must not hold up a count that a caller waits for.
  const redis = openRedis({ url: config.redisUrl.reveal(), log })
  const prefix = keyPrefix(identity)
  const over = new AbortController()
  const handOver = createHandOver({
    relay: createRelayLog({ redis, prefix }),
    clock,
    leadership,
    over: over.signal,
  })
  let record: Sources['record'] | undefined
  const publisher = openPublisher({
    ...{ redis, prefix, clock, log, epoch },
    mayBegin: handOver.mayBegin,
    onOver: () => over.abort(),
    sources: {
      ...{ market: open.market, signals: open.signals, feeds: open.feeds },
      record: { latest: () => record?.latest() ?? NO_LEAVES },
      ...venue.services,
      fiveMinute: venue.fiveMinute,
      ...{ bot: trading.bot, publicBot: trading.publicBot },
    },
  })
  open.publishTo(publisher.sink)
  trading.onSettled(publisher.settled)
  return {
    over: over.signal,
    tellRecord(reader) {
      record = reader
    },
    begin: handOver.begin,
    async stop() {
      await handOver.end()
      await publisher.stop()
      redis.close()
    },
  }
}
