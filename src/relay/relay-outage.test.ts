import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isRedisMissing, type RedisServer, startRedis } from '../testing/access/redis-server.ts'
import { openRelayWorld, type RelayWorld } from '../testing/relay/relay-servers.ts'
import { expectSame, expectSameLater } from '../testing/relay/relay-world.ts'

/** Real time in which a connection is made again; the rest goes by the clock of the test. */
const RECONNECTS_MS = 10_000

describe.skipIf(isRedisMissing)('a Redis that is lost', () => {
  let server: RedisServer
  let world: RelayWorld
  beforeEach(async () => {
    server = await startRedis()
    world = await openRelayWorld(server, 1)
  })
  afterEach(async () => {
    await world.end()
    await server.end()
  })
  const backAgain = async () => {
    const failures = () => world.engines.map(({ publisher }) => publisher.counts().failures).join()
    await expect
      .poll(
        async () => {
          const before = failures()
          await world.run(1)
          return failures() === before && world.readers.every((reader) => reader.ready())
        },
        { timeout: RECONNECTS_MS },
      )
      .toBe(true)
  }

  test('and has kept nothing: readers say so meanwhile, and then have everything again', async () => {
    const [engine, reader] = [await world.lead(1), await world.join()]
    await world.run(20)
    for (let times = 0; times < 2; times++) {
      await server.kill()
      await world.run(30)
      expect(reader.missing()).toContain('last heard')
      expect(engine.publisher.counts().waiting).toBe(0)
      await server.start()
      await backAgain()
      await world.run(30)
      expectSame(reader, engine, world.clock)
    }
    engine.step = () => {}
    await world.run(40)
    await expectSameLater(reader, engine, world.clock)
  })

  test('and keeps connections open: what waits is bounded', async () => {
    const [engine, reader] = [await world.lead(1), await world.join()]
    await world.run(3)
    server.freeze()
    world.clock.advance(100)
    const trade = { venue: 'binance', coin: 'BTC', price: 5, size: 1, side: 'buy', fills: 1 } as const
    for (let id = 0; id < 250_000; id++) engine.sink.trade({ ...trade, id, atMs: world.clock.now() })
    expect(engine.publisher.counts().waiting).toBe(250_000)
    world.clock.advance(100)
    expect(engine.publisher.counts().waiting).toBe(0)
    server.thaw()
    await engine.publisher.idle()
    await backAgain()
    await world.run(1)
    expectSame(reader, engine, world.clock)
  })

  test('what is kept in Redis does not grow', async () => {
    const [engine] = [await world.lead(1), await world.join()]
    const read = () =>
      server.admin(async (client) => ({
        entries: await client.xlen('test:1:relay:log'),
        parts: await client.hlen('test:1:relay:state'),
        chunks: await client.hlen('test:1:relay:chunks'),
        keys: (await client.keys('*')).length,
      }))
    for (let n = 0; n < 4; n++) {
      await world.run(150)
      const { entries, parts, chunks, keys } = await read()
      expect(entries).toBeLessThan(250)
      expect(parts).toBe(13)
      // Two of each list: the one before may still be read.
      expect(chunks).toBeLessThanOrEqual(12)
      expect(keys).toBeLessThanOrEqual(5)
    }
    expect(engine.publisher.counts().failures).toBe(0)
  })
})
