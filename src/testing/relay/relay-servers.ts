import { expect } from 'vitest'
import { openRedis, type RedisConnection } from '../../access/redis/connection.ts'
import { type Log, silentLog } from '../../core/log.ts'
import type { Publisher } from '../../relay/publish/publisher.ts'
import type { Subscriber } from '../../relay/read/subscriber.ts'
import type { RedisServer } from '../access/redis-server.ts'
import { createSeeded } from '../seeded.ts'
import { type NoisyEngine, nextTurnMs, openNoisyEngine, openReader, relayClock, tick } from './relay-world.ts'

/** Engines and readers on one Redis and one clock; `end` stops them all. */
export async function openRelayWorld(server: RedisServer, seed: number) {
  const prefix = `test:${seed}:`
  const clock = relayClock()
  const seeded = createSeeded(seed)
  const engines: NoisyEngine[] = []
  const readers: Subscriber[] = []
  const ends: (() => unknown)[] = []
  const connect = async (): Promise<RedisConnection> => {
    const redis = openRedis({ url: server.url, log: silentLog })
    ends.push(redis.close)
    await answers(redis)
    return redis
  }
  const publishers = (): Publisher[] => engines.map(({ publisher }) => publisher)
  const world = {
    ...{ clock, seeded, server, prefix, engines, readers },
    async lead(epoch: number, more: { token?: string; log?: Log; mayBegin?: () => boolean } = {}) {
      const redis = await connect()
      clock.advanceTo(nextTurnMs(clock))
      const engine = openNoisyEngine({ redis, clock, seeded, epoch, prefix, ...more })
      ends.push(engine.publisher.stop)
      engines.push(engine)
      return engine
    },
    async join(log: Log = silentLog) {
      const reader = openReader(await connect(), clock, prefix, log)
      ends.push(reader.stop)
      readers.push(reader)
      return reader
    },
    /** So many turns, with something new before each of them. */
    async run(turns: number) {
      for (let n = 0; n < turns; n++) {
        for (const engine of engines) engine.step()
        await tick(clock, publishers(), readers)
      }
    },
    /** Turns until it holds, or so many that it will not. */
    async until(holds: () => boolean, turns = 30) {
      for (let n = 0; n < turns && !holds(); n++) await world.run(1)
      expect(holds()).toBe(true)
    },
    async end() {
      for (const end of ends.splice(0).reverse()) await end()
    },
  }
  return world
}
export type RelayWorld = Awaited<ReturnType<typeof openRelayWorld>>

/** Resolves when the connection is there. */
export async function answers(redis: RedisConnection): Promise<void> {
  const ping = () =>
    redis.ping().then(
      () => true,
      () => false,
    )
  await expect.poll(ping, { timeout: 10_000 }).toBe(true)
}
