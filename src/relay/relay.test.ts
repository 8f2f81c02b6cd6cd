import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { COINS } from '../core/coin.ts'
import { isRedisMissing, type RedisServer, startRedis } from '../testing/access/redis-server.ts'
import { createKeptLog } from '../testing/kept-log.ts'
import { openRelayWorld, type RelayWorld } from '../testing/relay/relay-servers.ts'
import { expectSame, expectSameLater } from '../testing/relay/relay-world.ts'
import { TURN_MS } from './publish/publisher.ts'
import { STALE_AFTER_MS } from './read/subscriber.ts'

describe.skipIf(isRedisMissing)('the relay', () => {
  let server: RedisServer
  let world: RelayWorld
  let seed = 0
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.end())
  const open = async () => {
    world = await openRelayWorld(server, ++seed)
    return world
  }
  afterEach(() => world.end())

  test('a reader has what the engine has, from the first turn on', async () => {
    const { lead, join, run, clock } = await open()
    const [engine, reader] = [await lead(1), await join()]
    expect(reader.missing()).toContain('not heard yet')
    for (let n = 0; n < 60; n++) {
      await run(1)
      expectSame(reader, engine, clock)
    }
    await run(20)
    await settle(world)
    await expectSameLater(reader, engine, clock)
    expect(reader.counts()).toMatchObject({ loads: 1, ignored: 0, epoch: 1 })
  })

  test('a reader who waits for the first word says so after five seconds, and not before', async () => {
    const { lead, join, run, clock } = await open()
    const log = createKeptLog()
    const reader = await join(log)
    for (let n = 0; n < 40; n++) await run(1)
    expect([reader.ready(), log.lines]).toEqual([false, []])
    clock.advance(STALE_AFTER_MS)
    await run(1)
    expect(log.lines).toMatchObject([{ level: 'warn', why: expect.stringContaining('not heard yet') }])
    await lead(1)
    await run(2)
    expect(log.lines.at(-1)).toMatchObject({ level: 'info', text: 'the engine is heard' })
  })

  test('a late joiner has it too, and keeps what it has when the engine goes on', async () => {
    const { lead, join, run, clock } = await open()
    const engine = await lead(1)
    await run(250)
    const reader = await join()
    await run(1)
    expectSame(reader, engine, clock)
    await run(20)
    await settle(world)
    expectSame(reader, engine, clock)
    await expectSameLater(reader, engine, clock)
  })

  test('an engine that is silent is not served after two seconds, and served again with its next word', async () => {
    const { lead, join, run, clock } = await open()
    const [engine, reader] = [await lead(1), await join()]
    await run(30)
    engine.sink.book({ venue: 'coinbase', coin: 'BTC', bids: [[99, 1]], asks: [[101, 1]], atMs: clock.now() })
    await run(1)
    expect(reader.market.price('BTC')).toBeDefined()
    await engine.publisher.stop()
    clock.advance(STALE_AFTER_MS - 2 * TURN_MS)
    expect(reader.ready()).toBe(true)
    clock.advance(3 * TURN_MS)
    expect(reader.missing()).toMatch(/^the engine was last heard 2\.\d s ago/)
    await expectNothing(world)
    const next = await lead(2)
    await run(1)
    expectSame(reader, next, clock)
  })

  test('of two engines the later is heard, whatever the earlier says', async () => {
    const { lead, join, run, clock } = await open()
    const [early, reader] = [await lead(5), await join()]
    await run(10)
    const late = await lead(6)
    await run(10)
    expectSame(reader, late, clock)
    expect(early.publisher.counts().isOver).toBe(true)
    const before = await lead(4)
    const same = await lead(6, { token: 'another' })
    await run(3)
    expect([before, same].map(({ publisher }) => publisher.counts().isOver)).toEqual([true, true])
    expectSame(reader, late, clock)
  })

  test('an engine whose term has not begun, or is over, warns of nothing', async () => {
    const { lead, join, run, until } = await open()
    const log = createKeptLog()
    let mayBegin = false
    await lead(1, { log })
    const reader = await join()
    await run(15)
    const second = await lead(2, { log, mayBegin: () => mayBegin })
    await run(15)
    mayBegin = true
    // Until the first has had a new list too.
    await run(100)
    expect(log.lines.filter(({ level }) => level === 'warn')).toEqual([])
    await until(() => reader.list.last()?.asOfMs === second.sources.list.last()?.asOfMs)
  })

  test('an earlier engine is not believed, even where Redis has forgotten the later', async () => {
    const { lead, join, run, clock } = await open()
    const [late, reader] = [await lead(6), await join()]
    await run(5)
    await late.publisher.stop()
    await server.admin((client) => client.flushall())
    await lead(5)
    await run(30)
    expect(reader.missing()).toContain('the engine of term 5 is not believed: term 6 was heard before')
    const newest = await lead(7)
    await run(2)
    expectSame(reader, newest, clock)
  })

  test('an engine of another release is refused, and the reason says what to do', async () => {
    const { lead, join, run, prefix } = await open()
    await lead(1)
    await run(3)
    await server.admin(async (client) => {
      for (const [name, text] of Object.entries(await client.hgetall(`${prefix}relay:state`)))
        await client.hset(`${prefix}relay:state`, name, text.replace(/^\[1,/, '[2,'))
    })
    const reader = await join()
    await run(1)
    expect(reader.missing()).toContain('the engine writes format 2 and this process reads 1')
    await expectNothing(world)
  })

  test('what came late is not taken for news', async () => {
    const { lead, join, run, clock, prefix } = await open()
    const [engine, reader] = [await lead(1), await join()]
    await run(10)
    await engine.publisher.stop()
    // The next entry, as if it had been on its way for five seconds.
    const [[, [, text = ''] = []] = []] = await server.admin((client) =>
      client.xrevrange(`${prefix}relay:log`, '+', '-', 'COUNT', 1),
    )
    const [format, epoch, seq, sentMs] = JSON.parse(text)
    clock.advance(5_000)
    const late = JSON.stringify([format, epoch, seq + 1, sentMs + TURN_MS, []])
    await server.admin((client) => client.xadd(`${prefix}relay:log`, '*', 'entry', late))
    await run(1)
    expect(reader.counts().entries).toBeGreaterThan(0)
    expect(reader.missing()).toContain('last heard')
  })
})

/** Lists are read in the background. */
async function settle({ run, engines }: RelayWorld) {
  const nothing = () => {}
  for (const engine of engines) engine.step = nothing
  await run(40)
}

function expectNothing({ readers: [reader], clock }: RelayWorld) {
  for (const coin of COINS) {
    expect(reader?.market.price(coin)).toBeUndefined()
    expect(reader?.market.oracle(coin).last).toEqual({ twap_60s: undefined, spot: undefined })
    expect(reader?.market.candles('binance', coin, 10)).toEqual([])
    expect(reader?.market.book('coinbase', coin)).toBeUndefined()
    expect(reader?.signals.signal(coin)).toBeUndefined()
    expect(reader?.signals.missing(coin)).toContain('the engine was')
    expect(reader?.fiveMinute.open(coin)).toBeUndefined()
    expect(reader?.fiveMinute.missing(coin)).toContain('the engine was')
    expect(reader?.fiveMinute.market(coin, Math.floor(clock.now() / 300_000) * 300)).toBeUndefined()
  }
  expect(reader?.market.freshness().every(({ isGood }) => !isGood)).toBe(true)
  expect([reader?.list.last(), reader?.account.positions(), reader?.feedsHealth()]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(() => reader?.bot.status()).toThrow('the engine was')
  expect(reader?.ready()).toBe(false)
  return expect(reader?.account.activity()).rejects.toMatchObject({ code: 'upstream_unavailable' })
}
