import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createHandedOut } from '../../payments/gate/handed-out.ts'
import type { PaymentHeader } from '../../payments/read/read-payment.ts'
import { isRedisMissing, type RedisServer, startRedis } from '../../testing/access/redis-server.ts'
import { createKeptLog } from '../../testing/kept-log.ts'
import { createDoors } from '../../testing/payments/doors.ts'
import { cheap, requirementOf, signAuthorization, toHeader } from '../../testing/payments/sample-evm.ts'
import { openRedis, type RedisConnection } from './connection.ts'
import { keyPrefix } from './key-prefix.ts'
import { createRedisSharedCustomers } from './shared-customers.ts'

const BUYER = '198.51.100.7'
const READER = '203.0.113.9'
const THIRD = '192.0.2.44'
const DAY_MS = 86_400_000
const SECRET = new Uint8Array(32).fill(7)
const SELLER_IS_DONE_MS = 30_000
/** Longer than an answer may take. */
const SILENT_MS = 700

let signed = 0
async function sign(identifier?: string): Promise<PaymentHeader> {
  const accepted = requirementOf(cheap, 'eip155')
  const nonce = `0x${(++signed).toString(16).padStart(64, '0')}` as const
  const payload = await signAuthorization(accepted, { nonce })
  const extensions = identifier && { 'payment-identifier': { info: { id: identifier } } }
  return {
    version: 2,
    text: toHeader({ x402Version: 2, accepted, payload, ...(extensions && { extensions }) }),
  }
}

describe.skipIf(isRedisMissing)('who bought, known to every process', () => {
  let server: RedisServer
  let worlds = 0
  const ends: (() => unknown)[] = []
  beforeAll(async () => {
    server = await startRedis()
  })
  beforeEach(() => server.admin((client) => client.flushall()))
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
  })
  afterAll(() => server.end())

  /** Processes with a connection each; `told` resolves when all that they have noted is there. */
  function openFleet() {
    const shop = createDoors()
    const log = createKeptLog()
    const prefix = keyPrefix({ mode: 'sandbox', ledgerId: `test-${++worlds}` })
    const connections: RedisConnection[] = []
    const join = async ({ secret = SECRET, notedPerHour = 100 } = {}) => {
      const redis = openRedis({ url: server.url, log })
      ends.push(redis.close)
      connections.push(redis)
      await works(redis)
      const customers = createRedisSharedCustomers({ redis, prefix, secret, notedPerHour })
      const others = { customers, clock: shop.clock }
      return shop.open(createHandedOut({ customerOf: (client) => client, others }))
    }
    const told = async () => {
      // A script that Redis does not know yet is sent a second time.
      for (const redis of [...connections, ...connections]) await redis.ping()
    }
    const keys = () => server.admin((client) => client.keys(`${prefix}sold:*`))
    /** Buyer and receiver of so many payments, and everybody can ask. */
    const toldInAll = async (payments: number) => {
      const fields = async () => {
        const found = await keys()
        const lengths = await server.admin((client) => Promise.all(found.map((key) => client.hlen(key))))
        return lengths.reduce((sum, length) => sum + length, 0)
      }
      await expect.poll(fields, { timeout: 5_000 }).toBe(2 * payments)
      for (const redis of connections) await works(redis)
    }
    /** Of the earlier release, or without Redis. */
    const joinAlone = () => shop.open(createHandedOut({ customerOf: (client) => client }))
    return { ...shop, log, connections, join, joinAlone, told, toldInAll, keys }
  }
  const works = (redis: RedisConnection) =>
    expect
      .poll(
        () =>
          redis.ping().then(
            () => true,
            () => false,
          ),
        { timeout: 5_000 },
      )
      .toBe(true)

  test('a reader of the chain gets at no process what was bought at one, however often he tries', async () => {
    const fleet = openFleet()
    const [a, b] = [await fleet.join(), await fleet.join()]
    const payment = await sign()
    expect(await a.present(payment, BUYER)).toBe('sold')
    await fleet.told()
    for (const door of [b, a, b, b]) expect(await door.present(payment, READER)).toBe('payment_already_used')
    for (const door of [a, b]) expect(await door.present(payment, BUYER)).toBe('sold')
    // Nor at one that was started since.
    const c = await fleet.join()
    expect(await c.present(payment, READER)).toBe('payment_already_used')
    expect(await c.present(payment, BUYER)).toBe('sold')
  })

  test('a buyer who got nothing comes back from another address, to another process', async () => {
    const fleet = openFleet()
    const [a, b] = [await fleet.join(), await fleet.join()]
    const payment = await sign()
    await a.present(payment, BUYER, { isCutOff: true })
    await fleet.told()
    fleet.clock.advance(SELLER_IS_DONE_MS)
    expect(await b.present(payment, READER)).toBe('sold')
    await fleet.told()
    // From now on it is for those two, wherever they come.
    for (const door of [a, b])
      for (const client of [BUYER, READER]) expect(await door.present(payment, client)).toBe('sold')
    for (const door of [a, b]) expect(await door.present(payment, THIRD)).toBe('payment_already_used')
  })

  test('a copy at another process waits while the first is being sold, if it is not its buyer', async () => {
    const fleet = openFleet()
    const [a, b] = [await fleet.join(), await fleet.join()]
    const payment = await sign()
    const during: string[] = []
    fleet.chain.whileSettling = async () => {
      fleet.chain.whileSettling = async () => {}
      await fleet.told()
      // The chain shows it already, and the seller has not seen that yet.
      during.push(await b.present(payment, READER), await a.present(payment, READER))
      during.push(await b.present(payment, BUYER))
    }
    expect(await a.present(payment, BUYER)).toBe('sold')
    expect(during).toEqual(['payment_in_progress', 'payment_in_progress', 'sold'])
    await fleet.told()
    expect(await b.present(payment, READER)).toBe('payment_already_used')
  })

  test('who named the identifier gets it from anywhere', async () => {
    const fleet = openFleet()
    const [a, b] = [await fleet.join(), await fleet.join()]
    const payment = await sign('a-name-that-nobody-guesses')
    await a.present(payment, BUYER)
    await fleet.told()
    expect(await b.present(payment, THIRD)).toBe('sold')
  })

  test('who was first at one process and got it from another is refused by neither', async () => {
    const fleet = openFleet()
    const [a, b] = [await fleet.join(), await fleet.join()]
    const payment = await sign()
    fleet.chain.isPoor = true
    expect(await a.present(payment, BUYER)).toBe('refused')
    fleet.chain.isPoor = false
    expect(await b.present(payment, THIRD)).toBe('sold')
    await fleet.told()
    for (const door of [a, b]) expect(await door.present(payment, THIRD)).toBe('sold')
    expect(await a.present(payment, BUYER)).toBe('sold')
    expect(await a.present(payment, READER)).toBe('payment_already_used')
  })

  test('a key for each sale and none for payments that are no good; nobody reads an address there', async () => {
    const fleet = openFleet()
    const [a, b] = [await fleet.join(), await fleet.join()]
    fleet.chain.isPoor = true
    await a.present(await sign(), BUYER)
    await fleet.told()
    expect(await fleet.keys()).toEqual([])
    fleet.chain.isPoor = false
    const payments = [await sign(), await sign()]
    for (const payment of payments) {
      await a.present(payment, BUYER)
      await b.present(payment, BUYER)
    }
    await fleet.told()
    const keys = await fleet.keys()
    expect(keys).toHaveLength(2)
    const kept = await server.admin((client) => Promise.all(keys.map((key) => client.hgetall(key))))
    const hashes = kept.flatMap(({ buyer, receiver }) => [buyer, receiver])
    for (const hash of hashes) expect(hash).toMatch(/^[\w-]{16}$/)
    // Equal within a payment; of two payments nobody can tell that they are of one customer.
    expect(new Set(hashes).size).toBe(2)
    expect(JSON.stringify([keys, kept])).not.toContain(BUYER)
    const [livesMs = 0, bytes = 0] = await server.admin((client) =>
      Promise.all([client.pttl(keys[0] ?? ''), client.memory('USAGE', keys[0] ?? '')]),
    )
    expect(livesMs).toBeGreaterThan(DAY_MS)
    expect(livesMs).toBeLessThanOrEqual(DAY_MS + 2 * 3_600_000)
    expect(bytes).toBeLessThan(300)
  })

  test('beyond so many in an hour nothing more is noted, and everybody gets what is not', async () => {
    const fleet = openFleet()
    const [a, b] = [await fleet.join({ notedPerHour: 2 }), await fleet.join({ notedPerHour: 2 })]
    const payments = [await sign(), await sign(), await sign()]
    for (const payment of payments) expect(await a.present(payment, BUYER)).toBe('sold')
    await fleet.told()
    expect(await fleet.keys()).toHaveLength(2)
    const answers = []
    for (const payment of payments) answers.push(await b.present(payment, READER))
    expect(answers).toEqual(['payment_already_used', 'payment_already_used', 'sold'])
    expect(await a.present(payments[2] as PaymentHeader, READER)).toBe('payment_already_used')
    const hourMs = await server.admin(async (client) =>
      client.pttl((await client.keys('*sold-in-hour'))[0] ?? ''),
    )
    expect(hourMs).toBeGreaterThan(3_500_000)
    expect(hourMs).toBeLessThanOrEqual(3_600_000)
  })

  test('without Redis each process knows what it sold itself, as before, and soon', async () => {
    const fleet = openFleet()
    const [a, b] = [await fleet.join(), await fleet.join()]
    const payment = await sign()
    await server.kill()
    ends.push(server.start)
    const startMs = performance.now()
    expect(await a.present(payment, BUYER)).toBe('sold')
    expect(await a.present(payment, READER)).toBe('payment_already_used')
    expect(await b.present(payment, READER)).toBe('sold')
    expect(await b.present(payment, BUYER)).toBe('sold')
    expect(performance.now() - startMs).toBeLessThan(1_000)
    expect(fleet.log.lines.filter(({ level }) => level === 'warn')).toHaveLength(2)
  })

  test('what was sold while Redis was lost is known everywhere once it is back', async () => {
    const fleet = openFleet()
    const [a, b] = [await fleet.join(), await fleet.join()]
    const [early, late] = [await sign(), await sign()]
    await server.kill()
    expect(await a.present(early, BUYER)).toBe('sold')
    await server.start()
    await fleet.toldInAll(1)
    expect(await b.present(early, READER)).toBe('payment_already_used')
    expect(await b.present(early, BUYER)).toBe('sold')
    // A Redis that keeps its connections and is silent for a while.
    server.freeze()
    expect(await a.present(late, BUYER)).toBe('sold')
    await new Promise((resolve) => setTimeout(resolve, SILENT_MS))
    server.thaw()
    await fleet.toldInAll(2)
    expect(await b.present(late, READER)).toBe('payment_already_used')
  })

  test('a Redis that answers nobody holds up no sale, and one who fetches a reply half a second', async () => {
    const fleet = openFleet()
    const [a, b] = [await fleet.join(), await fleet.join()]
    const payment = await sign()
    server.freeze()
    ends.push(server.thaw)
    const soldMs = performance.now()
    expect(await a.present(payment, BUYER)).toBe('sold')
    expect(performance.now() - soldMs).toBeLessThan(400)
    const askedMs = performance.now()
    for (let n = 0; n < 10; n++) expect(await b.present(payment, READER)).toBe('sold')
    expect(performance.now() - askedMs).toBeLessThan(1_000)
  })

  test('beside processes of the earlier release nobody is refused who was not before', async () => {
    const fleet = openFleet()
    const [earlier, a, b] = [fleet.joinAlone(), await fleet.join(), await fleet.join()]
    const [first, second] = [await sign(), await sign()]
    expect(await earlier.present(first, BUYER)).toBe('sold')
    for (const client of [READER, BUYER, THIRD]) expect(await a.present(first, client)).toBe('sold')
    expect(await a.present(second, BUYER)).toBe('sold')
    await fleet.told()
    expect(await earlier.present(second, READER)).toBe('sold')
    expect(await b.present(second, READER)).toBe('payment_already_used')
    expect(await b.present(second, BUYER)).toBe('sold')
  })

  test('a receiver is noted only beside a buyer, so that one whom nobody noted is not locked out', async () => {
    const fleet = openFleet()
    const [earlier, a, b] = [fleet.joinAlone(), await fleet.join(), await fleet.join()]
    const payment = await sign()
    fleet.chain.isPoor = true
    expect(await a.present(payment, THIRD)).toBe('refused')
    fleet.chain.isPoor = false
    expect(await earlier.present(payment, BUYER)).toBe('sold')
    expect(await b.present(payment, READER)).toBe('sold')
    await fleet.told()
    expect(await fleet.keys()).toEqual([])
    expect(await a.present(payment, BUYER)).toBe('sold')
  })

  test('with another key, or where others have written, nothing is known and nobody locked out', async () => {
    const fleet = openFleet()
    const [a, b] = [await fleet.join(), await fleet.join()]
    const payment = await sign()
    await a.present(payment, BUYER)
    await fleet.told()
    const other = await fleet.join({ secret: new Uint8Array(32).fill(8) })
    expect(await other.present(payment, BUYER)).toBe('sold')
    const [key = ''] = await fleet.keys()
    await server.admin((client) => client.hset(key, 'buyer', 'what is no hash', 'receiver', '1'))
    expect(await b.present(payment, BUYER)).toBe('sold')
    const c = await fleet.join()
    await server.admin((client) => client.del(key).then(() => client.set(key, 'text')))
    expect(await c.present(payment, BUYER)).toBe('sold')
  })
})
