import { createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { isRedisMissing, startRedis } from '../../testing/access/redis-server.ts'
import { createKeptLog } from '../../testing/kept-log.ts'
import { openRedis, type RedisConnection } from './connection.ts'
import { createRedisDemoCounters } from './demo-counters.ts'
import { createRedisRateCounters } from './rate-counters.ts'

const LOST = {
  code: 'counters_unavailable',
  message: expect.stringContaining('nothing was charged'),
  retryAfterS: expect.any(Number),
}
const SOON_MS = 1_000
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function start(...settings: readonly string[]) {
  const server = await startRedis(...settings)
  ends.push(server.end)
  return { server, ...connectTo(server.url) }
}

function connectTo(url: string) {
  const log = createKeptLog()
  const redis = openRedis({ url, log })
  ends.push(redis.close)
  const { take } = createRedisDemoCounters({ redis, prefix: 'test:' })
  return { log, redis, take: () => take(10, [['a', 999]]) }
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

async function failsSoon(ask: () => Promise<unknown>) {
  const startMs = performance.now()
  await expect(ask()).rejects.toMatchObject(LOST)
  expect(performance.now() - startMs).toBeLessThan(SOON_MS)
}

describe.skipIf(isRedisMissing)('a connection to Redis', () => {
  test('that is lost fails calls at once, says so once, and comes back by itself', async () => {
    const { server, redis, take, log } = await start()
    await works(redis)
    await take()
    const before = log.lines.length
    await server.kill()
    for (let n = 0; n < 20; n++) await failsSoon(take)
    expect(log.lines.slice(before).map(({ level }) => level)).toEqual(['warn'])
    await server.start()
    await works(redis)
    // It has kept nothing, and no call was sent again.
    expect(await take()).toEqual({ isTaken: true, used: [1] })
    expect(log.lines.slice(before).map(({ level }) => level)).toEqual(['warn', 'info'])
  })

  test('that is not made yet fails its calls, and is no failure of Redis', async () => {
    const { redis, take, log } = await start()
    await expect(take()).rejects.toMatchObject(LOST)
    await works(redis)
    await take()
    expect(log.lines).toEqual([])
  })

  test('is not lost because this process stood still itself', async () => {
    const { redis, take, log } = await start()
    await works(redis)
    await take()
    const before = log.lines.length
    const asked = take()
    // It is sent in this turn at the latest, and answered long before the time for it is over.
    await new Promise((resolve) => setImmediate(resolve))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700)
    expect(await asked).toEqual({ isTaken: true, used: [2] })
    expect(log.lines.slice(before)).toEqual([])
  })

  test('that nobody answers ends with the first call that waited in vain; the next do not wait', async () => {
    const { server, redis, take } = await start()
    await works(redis)
    await take()
    server.freeze()
    await failsSoon(take)
    const startMs = performance.now()
    for (let n = 0; n < 20; n++) await expect(take()).rejects.toMatchObject(LOST)
    expect(performance.now() - startMs).toBeLessThan(300)
    server.thaw()
    await works(redis)
    const { isTaken, used } = await take()
    // The call that waited may have been counted, and was not granted.
    expect([isTaken, [2, 3].includes(used[0] ?? 0)]).toEqual([true, true])
  })

  test('in the middle of many calls: none is granted that was not counted', async () => {
    const { server, redis, take } = await start('--appendonly', 'yes', '--appendfsync', 'always')
    await works(redis)
    const calls = Array.from({ length: 300 }, (_, n) =>
      new Promise((resolve) => setTimeout(resolve, n)).then(take).then(
        ({ isTaken }) => (isTaken ? 1 : 0),
        (error) => {
          expect(error).toMatchObject(LOST)
          return 0
        },
      ),
    )
    setTimeout(() => void server.kill().then(server.start), 100)
    const granted = (await Promise.all(calls)).filter((one) => one === 1).length
    await works(redis)
    const used = (await take()).used[0] ?? 0
    expect(used - 1).toBeGreaterThanOrEqual(granted)
    expect(granted).toBeGreaterThan(0)
    expect(granted).toBeLessThan(300)
  })

  test('to a replica, or to one without room, is an outage, and over when that is', async () => {
    const { server, redis, take, log } = await start()
    await works(redis)
    await take()
    await server.admin((client) => client.replicaof('127.0.0.1', 1))
    await failsSoon(take)
    await expect(redis.ping()).rejects.toMatchObject(LOST)
    expect(log.lines.at(-1)).toMatchObject({ level: 'warn', why: expect.stringContaining('replica') })
    await server.admin((client) => client.replicaof('NO', 'ONE'))
    await works(redis)
    await take()
    await server.admin((client) => client.config('SET', 'maxmemory', '1'))
    await failsSoon(take)
    await server.admin((client) => client.config('SET', 'maxmemory', '0'))
    expect(await take()).toMatchObject({ isTaken: true })
  })

  test('with a password, a database of its own, and with the wrong password', async () => {
    const { server } = await start('--requirepass', 'p@ss word')
    const of = (password: string) => `redis://:${encodeURIComponent(password)}@${server.url.slice(8)}/3`
    const good = connectTo(of('p@ss word'))
    await works(good.redis)
    expect(await good.take()).toMatchObject({ isTaken: true })
    const bad = connectTo(of('wrong'))
    await failsSoon(bad.take)
    expect(JSON.stringify(bad.log.lines)).not.toContain('wrong')
  })
})

const SILENT = 'says nothing, not even in its greeting'

/** Answers every command of a connection with the same, but for those of the greeting; the last reply is for all later ones. */
async function startLiar(...replies: readonly string[]): Promise<string> {
  let connections = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const reply = replies[connections++] ?? replies.at(-1) ?? ''
    socket.on('error', () => {})
    socket.on('data', (data) => {
      if (reply === SILENT) return
      for (const [, command] of String(data).matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g))
        socket.write(/^(info|set|select|client)$/i.test(command ?? '') ? '+OK\r\n' : reply)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return `redis://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

test.each([
  ['a text', '+OK\r\n'],
  ['nothing', '$-1\r\n'],
  ['no list', ':1\r\n'],
  ['an empty list', '*0\r\n'],
  ['too few numbers', '*1\r\n:1\r\n'],
  ['too many numbers', '*6\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n'],
  ['texts of numbers', '*2\r\n$1\r\n1\r\n$1\r\n1\r\n'],
  ['numbers below zero', '*2\r\n:1\r\n:-5\r\n'],
  ['a number that is too large', '*2\r\n:1\r\n:9223372036854775807\r\n'],
  ['an error of no kind that we know', '-ODD what now\r\n'],
  ['what is no answer at all', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
])('a server that answers with %s grants nothing', async (_, reply) => {
  const { redis, take } = connectTo(await startLiar(reply))
  await works(redis)
  await failsSoon(take)
  const rates = createRedisRateCounters({ redis, prefix: 'test:' })
  await failsSoon(async () => rates.take({ name: 'l', calls: 5, windowS: 60 }, 'a'))
})

test.each([
  ['7', '-READONLY you cannot write'],
  ['6', '-ERR Error running script (call to f_1): @user_script:1: -READONLY You cannot write'],
])(
  'a server that has become a replica, of version %s, is left: its name may lead to another one',
  async (_, word) => {
    const { redis, take } = connectTo(await startLiar(`${word}\r\n`, '*2\r\n:1\r\n:1\r\n'))
    await works(redis)
    await failsSoon(take)
    await works(redis)
    expect(await take()).toEqual({ isTaken: true, used: [1] })
  },
)

test('an address of nobody: calls fail at once, and more at a time than there is room for too', async () => {
  const { take } = connectTo('redis://127.0.0.1:1')
  await failsSoon(take)
  await Promise.all(Array.from({ length: 11_000 }, () => expect(take()).rejects.toMatchObject(LOST)))
})

test('a connection that is taken and not greeted is given up for another one', async () => {
  const { redis } = connectTo(await startLiar(SILENT, SILENT, '+OK\r\n'))
  await expect
    .poll(
      () =>
        redis.ping().then(
          () => true,
          () => false,
        ),
      { timeout: 15_000 },
    )
    .toBe(true)
})
