import { afterEach, describe, expect, test } from 'vitest'
import { openRedis } from '../access/redis/connection.ts'
import { silentLog } from '../core/log.ts'
import { isRedisMissing, startRedis } from '../testing/access/redis-server.ts'
import {
  expectSame,
  expectSameLater,
  openNoisyEngine,
  openReader,
  relayClock,
  tick,
} from '../testing/relay/relay-world.ts'
import { createSeeded } from '../testing/seeded.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function world({ seed = 1, epoch = 1 } = {}) {
  const server = await startRedis()
  ends.push(server.end)
  const connect = async () => {
    const redis = openRedis({ url: server.url, log: silentLog })
    ends.push(redis.close)
    await expect
      .poll(
        () =>
          redis.ping().then(
            () => true,
            () => false,
          ),
        { timeout: 5_000 },
      )
      .toBe(true)
    return redis
  }
  const clock = relayClock()
  const seeded = createSeeded(seed)
  const engine = openNoisyEngine({ redis: await connect(), clock, seeded, epoch })
  ends.push(engine.publisher.stop)
  const join = async () => {
    const reader = openReader(await connect(), clock)
    ends.push(reader.stop)
    return reader
  }
  return { server, clock, seeded, engine, join, connect }
}

describe.skipIf(isRedisMissing)('the relay', () => {
  test('a reader has what the engine has', async () => {
    const { clock, engine, join } = await world()
    const reader = await join()
    expect(reader.missing()).toContain('not heard yet')
    for (let n = 0; n < 100; n++) {
      engine.step()
      await tick(clock, [engine.publisher], [reader])
      expectSame(reader, engine, clock)
    }
    for (let n = 0; n < 20; n++) await tick(clock, [engine.publisher], [reader])
    await expectSameLater(reader, engine, clock)
  })
})
