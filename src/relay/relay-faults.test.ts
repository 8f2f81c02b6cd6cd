import type { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isRedisMissing, type RedisServer, startRedis } from '../testing/access/redis-server.ts'
import { openRelayWorld, type RelayWorld } from '../testing/relay/relay-servers.ts'
import { expectSame } from '../testing/relay/relay-world.ts'
import { toText } from './wire/codec.ts'
import { toEntryText } from './wire/entry.ts'

/** What a stranger, or another release, may write; `seq` is that of the next entry. */
const HOSTILE: readonly ((epoch: number, seq: number) => string)[] = [
  () => '',
  () => '{',
  () => 'null',
  () => '[]',
  () => '"~x"',
  () => toText([1, 'a', {}, [], 5]),
  () => toText([7, 1, 1, 1, []]),
  () => `[1,1,1,1,${'['.repeat(5_000)}${']'.repeat(5_000)}]`,
  (epoch, seq) => forged(epoch, seq, 5),
  (epoch, seq) => forged(epoch, seq, [['t', 0, Number.NaN, 1, 1, 0, 1, 1]]),
  (epoch, seq) => forged(epoch, seq, [['t', 99, 1, 1, 1, 0, 1, 1]]),
  (epoch, seq) => forged(epoch, seq, [['t', 0, 1, -5, 1, 0, 1, 1]]),
  (epoch, seq) => forged(epoch, seq, [['t', 0, 1, '5', 1, 0, 1, 1]]),
  (epoch, seq) => forged(epoch, seq, [['t', 0]]),
  (epoch, seq) => forged(epoch, seq, [['b', 0, 'odd', [1, [1, 1], [1, 1]]]]),
  (epoch, seq) => forged(epoch, seq, [['b', 0, undefined, [1, [1], [1, 1]]]]),
  (epoch, seq) => forged(epoch, seq, [['b', 0, undefined, [1, new Array(30_000).fill(1), [1, 1]]]]),
  (epoch, seq) => forged(epoch, seq, [['o', 'DOGE', 0, 1, 0, 1]]),
  (epoch, seq) => forged(epoch, seq, [['s', 'BTC', Number.POSITIVE_INFINITY, 1]]),
  (epoch, seq) => forged(epoch, seq, [['constructor', 0]]),
  (epoch, seq) => forged(epoch, seq, [['v', 5, {}]]),
  (epoch, seq) => forged(epoch, seq, [null]),
  (epoch, seq) => forged(epoch, seq + 1_000, []),
  (epoch, seq) => forged(epoch + 1, seq, []),
  (epoch, seq) => forged(epoch, seq - 2, [['t', 0, 1, 5, 1, 0, 1, 1]]),
]
const forged = (epoch: number, seq: number, changes: unknown) =>
  toEntryText({ epoch, seq, sentMs: 1, changes: changes as [] })

describe.skipIf(isRedisMissing)('what goes wrong between engine and readers', () => {
  let server: RedisServer
  let world: RelayWorld
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.end())
  afterEach(() => world.end())

  const key = (name: string) => `${world.prefix}relay:${name}`
  const newestOf = async (
    client: Redis,
  ): Promise<{ id: string; text: string; epoch: number; seq: number }> => {
    const [[id = '', [, text = ''] = []] = []] = await client.xrevrange(key('log'), '+', '-', 'COUNT', 1)
    const [, epoch, seq] = JSON.parse(text)
    return { id, text, epoch, seq }
  }
  const expectAllSame = () => {
    const leader = world.engines.find(({ publisher }) => !publisher.counts().isOver)
    expect(leader).toBeDefined()
    for (const reader of world.readers) if (leader) expectSame(reader, leader, world.clock)
  }

  const FAULTS: Readonly<Record<string, (client: Redis) => Promise<unknown>>> = {
    async lostEntries(client) {
      for (const [id] of await client.xrevrange(key('log'), '+', '-', 'COUNT', world.seeded.between(1, 5)))
        await client.xdel(key('log'), id)
    },
    emptyLog: (client) => client.xtrim(key('log'), 'MAXLEN', 0),
    /** As a Redis that was restarted and has kept nothing. */
    everythingGone: (client) => client.del(key('log'), key('state'), key('leader'), key('chunks')),
    async oldOnesAgain(client) {
      const entries = await client.xrange(key('log'), '-', '+')
      for (let n = 0; n < 6; n++) {
        const [, fields] = entries[world.seeded.below(entries.length)] ?? ['', []]
        if (fields.length > 0) await client.xadd(key('log'), '*', ...fields)
      }
    },
    async hostile(client) {
      const { epoch, seq } = await newestOf(client)
      for (let n = 0; n < 4; n++) {
        const make = HOSTILE[world.seeded.below(HOSTILE.length)]
        if (make) await client.xadd(key('log'), '*', 'entry', make(epoch, seq + 1))
      }
      await client.xadd(key('log'), '*', 'odd', 'field', 'and', 'another')
    },
    forgottenScripts: (client) => client.script('FLUSH'),
    lateJoiner: () => world.join(),
    async newLeader() {
      await world.lead(Math.max(0, ...world.readers.map((reader) => reader.counts().epoch ?? 0)) + 1)
    },
    async nothing() {},
  }

  test.each(Array.from({ length: 12 }, (_, n) => 100 + n))(
    'is over within two seconds, and readers have again what the engine has (seed %i)',
    async (seed) => {
      world = await openRelayWorld(server, seed)
      await world.lead(1)
      await world.join()
      await world.run(world.seeded.between(1, 20))
      for (let round = 0; round < 8; round++) {
        const [, fault] = world.seeded.pick(Object.entries(FAULTS) as [[string, () => Promise<unknown>]])
        // Between two turns, or while entries are on their way.
        const going = server.admin(fault)
        if (world.seeded.chance(0.5)) await world.run(1)
        await going
        await world.run(15)
        expectAllSame()
      }
    },
    60_000,
  )

  test('each hostile entry alone changes nothing and holds nobody up', async () => {
    world = await openRelayWorld(server, 1)
    await world.lead(1)
    const reader = await world.join()
    await world.run(5)
    for (const make of HOSTILE) {
      await server.admin(async (client) => {
        const { epoch, seq } = await newestOf(client)
        await client.xadd(key('log'), '*', 'entry', make(epoch, seq + 1))
      })
      await world.run(1)
      expectAllSame()
    }
    expect(reader.counts()).toMatchObject({ loads: 1 })
    expect(reader.counts().ignored).toBeGreaterThan(15)
    // A late joiner meets all of them at once.
    await world.join()
    await world.run(1)
    expectAllSame()
  })

  test('a value that is not as it should be is missing, and the others are there', async () => {
    world = await openRelayWorld(server, 2)
    const engine = await world.lead(1)
    const reader = await world.join()
    await world.run(5)
    engine.sources.signals.signal = () => ({ price: Number.NaN }) as never
    await world.run(2)
    expect(reader.signals.signal('BTC')).toBeUndefined()
    expect(reader.missing()).toBeUndefined()
    expect(reader.bot.status()).toBeDefined()
  })

  test('a part of the state that is none is asked for again', async () => {
    world = await openRelayWorld(server, 3)
    await world.lead(1)
    await world.run(5)
    const parts = ['', '[1,1,3,[]]', '[1,1,3,[[],[[1]],[]]]', '[1,1,3,5]', '[1,9,3,[]]']
    for (const text of parts) {
      await server.admin((client) => client.hset(key('state'), 'pair:3', text))
      const reader = await world.join()
      await world.run(1)
      expect(reader.missing()).toContain('the engine has not written its whole state yet')
      await world.until(() => reader.ready(), 15)
      await world.run(1)
      expectAllSame()
    }
  })
})
