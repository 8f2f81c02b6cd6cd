import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { rateContract } from '../../testing/access/rate-contract.ts'
import { isRedisMissing, type RedisServer, startRedis } from '../../testing/access/redis-server.ts'
import { demoContract } from '../../testing/ledger/demo-contract.ts'
import { openRedis, type RedisConnection } from './connection.ts'
import { createRedisDemoCounters } from './demo-counters.ts'
import { keyPrefix } from './key-prefix.ts'
import { createRedisRateCounters } from './rate-counters.ts'

const LOST = { code: 'counters_unavailable', message: expect.stringContaining('nothing was charged') }
const once = { name: 'once', calls: 1, windowS: 1 }

describe.skipIf(isRedisMissing)('counts in Redis', () => {
  let server: RedisServer
  const opened: RedisConnection[] = []
  let worlds = 0
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.end())
  afterEach(() => {
    for (const redis of opened.splice(0)) redis.close()
  })
  const connect = () => {
    const redis = openRedis({ url: server.url, log: silentLog })
    opened.push(redis)
    return redis
  }
  const ready = async () => {
    const redis = connect()
    await expect
      .poll(() =>
        redis.ping().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    return redis
  }
  const freshPrefix = () => keyPrefix({ mode: 'sandbox', ledgerId: `test-${++worlds}` })

  describe('rates', () => {
    rateContract(async (clock, maxCounted) => {
      const prefix = freshPrefix()
      const open = async () => createRedisRateCounters({ redis: await ready(), prefix, clock, maxCounted })
      return [await open(), await open()]
    })
  })

  describe('free calls', () => {
    const open = async (prefix: string) => createRedisDemoCounters({ redis: await ready(), prefix })
    demoContract({
      open: () => open(freshPrefix()),
      async openTwice() {
        const prefix = freshPrefix()
        return [await open(prefix), await open(prefix)]
      },
      forgetsByDay: false,
    })
  })

  test('windows follow the time of the server', async () => {
    const { take } = createRedisRateCounters({ redis: await ready(), prefix: freshPrefix() })
    const first = await take(once, 'a')
    expect(Math.abs(first.windowStartS - Date.now() / 1000)).toBeLessThan(5)
    await expect
      .poll(async () => (await take(once, 'a')).windowStartS, { timeout: 5_000 })
      .toBeGreaterThan(first.windowStartS)
  })

  test('keys go by themselves: those of a window with it, those of a day after three', async () => {
    const redis = await ready()
    const prefix = freshPrefix()
    await createRedisRateCounters({ redis, prefix }).take({ name: 'm', calls: 1, windowS: 60 }, 'a')
    await createRedisDemoCounters({ redis, prefix }).take(10, [['a', 1]])
    const [rate, day] = await server.admin((client) =>
      Promise.all([client.pttl(`${prefix}rate:m a`), client.pttl(`${prefix}demo:10`)]),
    )
    expect(rate).toBeGreaterThan(900)
    expect(rate).toBeLessThanOrEqual(61_000)
    expect(Math.ceil((day ?? 0) / 1000)).toBe(3 * 86_400)
  })

  test('a crowd of clients leaves no more keys than there may be, and all of them go', async () => {
    const prefix = freshPrefix()
    const { take } = createRedisRateCounters({ redis: await ready(), prefix, maxCounted: 10 })
    const perDay = { name: 'day', calls: 1, windowS: 86_400 }
    for (let n = 0; n < 100; n++) await take(perDay, `client ${n}`)
    const ttls = await server.admin(async (client) =>
      Promise.all((await client.keys(`${prefix}*`)).map((key) => client.pttl(key))),
    )
    // The list of them is one more.
    expect(ttls).toHaveLength(11)
    expect(Math.min(...ttls)).toBeGreaterThan(0)
  })

  test('two services, or two modes of one, share no count', async () => {
    const redis = await ready()
    const ids = [keyPrefix({ mode: 'live', ledgerId: 'a' }), keyPrefix({ mode: 'paper', ledgerId: 'a' })]
    const all = [...ids, keyPrefix({ mode: 'live', ledgerId: 'b' })]
    for (const prefix of all) {
      const { take } = createRedisDemoCounters({ redis, prefix })
      expect(await take(10, [['a', 1]])).toMatchObject({ isTaken: true })
    }
  })

  test('scripts that the server has forgotten are sent again, and count once', async () => {
    const { take } = createRedisDemoCounters({ redis: await ready(), prefix: freshPrefix() })
    await take(10, [['a', 9]])
    await server.admin((client) => client.script('FLUSH'))
    expect(await take(10, [['a', 9]])).toEqual({ isTaken: true, used: [2] })
  })

  test('what others have put under our keys is an outage, never a zero', async () => {
    const redis = await ready()
    const prefix = freshPrefix()
    const demo = createRedisDemoCounters({ redis, prefix })
    const rates = createRedisRateCounters({ redis, prefix })
    await server.admin((client) => client.set(`${prefix}demo:10`, 'text'))
    await server.admin((client) => client.hset(`${prefix}demo:11`, 'a', 'many'))
    await server.admin((client) => client.set(`${prefix}rate:once a`, 'text'))
    await server.admin((client) => client.hset(`${prefix}rate:once b`, 'start', '1', 'calls', 'x'))
    for (const day of [10, 11]) {
      await expect(demo.take(day, [['a', 5]])).rejects.toMatchObject(LOST)
      await expect(demo.used(day, ['a'])).rejects.toMatchObject(LOST)
      await expect(demo.load(day)).rejects.toMatchObject(LOST)
      await expect(demo.giveBack(day, ['a'])).rejects.toMatchObject(LOST)
    }
    for (const client of ['a', 'b']) await expect(rates.take(once, client)).rejects.toMatchObject(LOST)
    await expect(rates.giveBack(once, 'a')).rejects.toMatchObject(LOST)
  })
})
