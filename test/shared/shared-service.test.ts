import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isRedisMissing, type RedisServer, startRedis } from '../../src/testing/access/redis-server.ts'
import { type Buyer, createBuyer } from '../../src/testing/buyer.ts'
import { moneyOf } from '../../src/testing/chain-money.ts'
import { createClient } from '../../src/testing/client.ts'
import { createKeptLog } from '../../src/testing/kept-log.ts'
import {
  isServerMissing,
  type PostgresServer,
  startPostgres,
} from '../../src/testing/ledger/postgres-server.ts'
import { startWorld, type World } from '../../src/testing/world.ts'

const PRICE = 1_000n
const START_MS = 180_000
type Health = { status: string; checks: { name: string; status: string; detail: string }[] }

describe.skipIf(isServerMissing || isRedisMissing)('a service on PostgreSQL and Redis', () => {
  let postgres: PostgresServer
  let redis: RedisServer
  let world: World
  const log = createKeptLog()
  beforeAll(async () => {
    ;[postgres, redis] = await Promise.all([startPostgres(), startRedis()])
    world = await startWorld(shared(), log)
  }, START_MS)
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]()
    await Promise.all([postgres?.end(), redis?.end()])
  })

  const shared = () => ({ DATABASE_URL: postgres.url, REDIS_URL: redis.url })
  const paidFetch = (buyer: Buyer) => buyer.fetch(`${world.url}/price/BTC?demo=0`)
  const health = async () => (await (await world.get('/health')).json()) as Health
  const checkOf = async (name: string) => (await health()).checks.find((check) => check.name === name)
  const readiness = async () => (await world.get('/readyz')).status

  test('sells, and gives the same bytes for the same payment also after a restart', {
    timeout: START_MS,
  }, async () => {
    const buyer = await createBuyer(world)
    const before = await moneyOf(buyer)
    const reply = await paidFetch(buyer)
    const text = await reply.text()
    expect([reply.status, reply.headers.has('payment-response')]).toEqual([200, true])
    expect(await moneyOf(buyer)).toBe(before - PRICE)
    const payment = buyer.sent.at(-1) ?? ''
    const again = async () => {
      const repeated = await world.get('/price/BTC?demo=0', { 'payment-signature': payment })
      return [repeated.status, await repeated.text()]
    }
    expect(await again()).toEqual([200, text])
    await world.restart()
    expect(await again()).toEqual([200, text])
  })

  test('counts free calls in Redis, and leads', async () => {
    const client = createClient(world)
    const seen: number[] = []
    for (let call = 0; call < 6; call++) seen.push((await client('/price/BTC')).status)
    expect(seen).toEqual([200, 200, 200, 200, 200, 402])
    const keys = await redis.admin((admin) => admin.keys('tollbook:sandbox:*demo:*'))
    expect(keys).toHaveLength(1)
    expect(await checkOf('leader')).toMatchObject({ status: 'ok', detail: expect.stringContaining('leads') })
    expect(await checkOf('redis')).toMatchObject({ status: 'ok' })
  })

  test('sells on without Redis, while nothing is given away', { timeout: START_MS }, async () => {
    const buyer = await createBuyer(world)
    await redis.kill()
    try {
      expect((await paidFetch(buyer)).status).toBe(200)
      const client = createClient(world)
      expect((await client('/price/BTC')).status).toBe(402)
      const limited = await client('/public/latest-signal')
      expect([limited.status, JSON.parse(limited.text)]).toMatchObject([
        503,
        { code: 'counters_unavailable' },
      ])
      expect(await readiness()).toBe(200)
      // Asked once a second, whoever asks.
      await expect.poll(() => checkOf('redis'), { timeout: 5_000 }).toMatchObject({ status: 'down' })
      expect((await health()).status).toBe('degraded')
    } finally {
      await redis.start()
    }
    await expect
      .poll(async () => (await createClient(world)('/price/BTC')).status, { timeout: 10_000 })
      .toBe(200)
  })

  test('charges for nothing that it does not deliver while PostgreSQL is restarted', {
    timeout: START_MS,
  }, async () => {
    const buyers = await Promise.all(Array.from({ length: 4 }, () => createBuyer(world)))
    const before = await Promise.all(buyers.map((buyer) => moneyOf(buyer)))
    let isOver = false
    const buy = async (buyer: Buyer) => {
      while (!isOver) {
        const reply = await paidFetch(buyer).catch(() => undefined)
        await reply?.text()
      }
    }
    const load = Promise.all(buyers.map(buy))
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    await postgres.stop('fast')
    await expect.poll(readiness, { timeout: 10_000 }).toBe(503)
    await expect.poll(() => log.about('store').length, { timeout: 20_000 }).toBe(1)
    await postgres.start()
    await expect.poll(readiness, { timeout: 20_000 }).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    isOver = true
    await load
    // Whatever was charged is delivered to whoever presents the payment again, and nothing else was charged.
    for (const [at, buyer] of buyers.entries()) {
      let delivered = 0n
      for (const payment of new Set(buyer.sent)) {
        await expect
          .poll(async () => (await world.get('/price/BTC?demo=0', { 'payment-signature': payment })).status, {
            timeout: 60_000,
            interval: 500,
          })
          .not.toBe(503)
        const reply = await world.get('/price/BTC?demo=0', { 'payment-signature': payment })
        if (reply.status === 200) delivered++
      }
      expect((before[at] ?? 0n) - (await moneyOf(buyer))).toBe(delivered * PRICE)
      expect(delivered).toBeGreaterThan(0n)
    }
    expect(await checkOf('leader')).toMatchObject({ status: 'ok' })
    const told = () => log.about('store').map(({ level, text, cause }) => [level, text, cause])
    const cause = expect.stringMatching(
      /^the database postgres at 127\.0\.0\.1:\d+: the ledger cannot be \w+ .*\(.+\)$/,
    )
    await expect.poll(told, { timeout: 20_000 }).toEqual([
      ['warn', 'a dependency is down', cause],
      ['info', 'a dependency is well again', cause],
    ])
  })
})
