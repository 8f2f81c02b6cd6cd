import { EventEmitter, once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { COINS } from '../../src/core/coin.ts'
import { createManualClock } from '../../src/core/time/manual-clock.ts'
import { openSocket } from '../../src/feeds/open-socket.ts'
import { createBinanceClient } from '../../src/feeds/venues/binance/client.ts'
import { BookSequenceError } from '../../src/feeds/venues/venue-client.ts'
import { createHostGates } from '../../src/upstreams/rules/host-gate.ts'
import { drained, failureOf, startLoopbackVenue, until } from './loopback-venue.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)
/** The first wait after a connection that brought nothing. */
const CONNECT_WAIT_MS = 125

async function start({ isPaced = false } = {}) {
  const venue = await startLoopbackVenue()
  const clock = createManualClock(START_MS)
  const malformed: unknown[][] = []
  const silences: number[] = []
  const watch = {
    malformed: (...about: unknown[]) => void malformed.push(about),
    silent: () => void silences.push(clock.now() - START_MS),
  }
  const client = createBinanceClient({
    ...venue,
    clock,
    gates: createHostGates({ clock, random: () => 0 }),
    random: () => 0,
    watch,
    openSocket,
    isPaced,
  })
  onTestFinished(() => client.close())
  /** Waits for the subscription that a watch has just asked for. */
  const subscribed = (count: number) => until(() => venue.received.length >= count)
  return { ...venue, clock, malformed, silences, client, subscribed }
}

/** A change of BTC's book that leaves the bid at 100 with the size `lastId`. */
function depth(firstId: number, lastId = firstId) {
  return {
    e: 'depthUpdate',
    E: START_MS + lastId,
    s: 'BTCUSDT',
    U: firstId,
    u: lastId,
    b: [['100.00', String(lastId)]],
    a: [],
  }
}

function snapshot(lastUpdateId: number) {
  return { lastUpdateId, bids: [['100.0', String(lastUpdateId)]], asks: [['101.0', '1']] }
}

function trade(id: number) {
  return {
    e: 'aggTrade',
    E: START_MS,
    s: 'BTCUSDT',
    a: id,
    p: '100',
    q: '1',
    f: id,
    l: id,
    T: START_MS,
    m: false,
  }
}

test('all streams share one connection and name themselves', async () => {
  const { client, connections, received, subscribed } = await start()
  for (const coin of COINS) client.watchBook(coin).catch(() => {})
  await subscribed(1)
  for (const coin of COINS) client.watchTrades(coin).catch(() => {})
  await until(() => received.flatMap(({ params }) => params).length === 2 * COINS.length)
  expect(connections).toHaveLength(1)
  expect(received[0]).toMatchObject({
    method: 'SUBSCRIBE',
    params: ['btcusdt@depth@100ms', 'ethusdt@depth@100ms', 'solusdt@depth@100ms', 'xrpusdt@depth@100ms'],
  })
  expect(received.flatMap(({ params }) => params)).toContain('xrpusdt@aggTrade')
})

test('a snapshot older than the first change is asked for again, and what came meanwhile is applied', async () => {
  const { client, say, asked, onAsked, subscribed } = await start()
  const replies = [snapshot(8), snapshot(10)]
  onAsked((_, response) => response.end(JSON.stringify(replies.shift())))
  const watched = client.watchBook('BTC')
  await subscribed(1)
  say(depth(10), depth(11))
  expect(await watched).toEqual({ bids: [[100, 11]], asks: [[101, 1]], atMs: START_MS + 11 })
  expect(asked.map(({ pathname, search }) => pathname + search)).toEqual(
    Array(2).fill('/api/v3/depth?symbol=BTCUSDT&limit=1000'),
  )
})

test('a venue whose snapshots stay behind is not asked for ever', async () => {
  const { client, say, asked, know, subscribed } = await start()
  know(snapshot(8))
  const watched = failureOf(client.watchBook('BTC'))
  await subscribed(1)
  say(depth(10))
  expect(await watched).toBeInstanceOf(BookSequenceError)
  expect(asked).toHaveLength(3)
})

test('a repeated change is skipped; after a gap the book starts over from a new subscription', async () => {
  const { client, say, know, received, connections, subscribed } = await start()
  know(snapshot(5))
  const first = client.watchBook('BTC')
  await subscribed(1)
  say(depth(5))
  await first
  const second = client.watchBook('BTC')
  say(depth(5), depth(6), depth(6))
  expect(await second).toMatchObject({ bids: [[100, 6]] })
  const third = failureOf(client.watchBook('BTC'))
  say(depth(8))
  expect(await third).toBeInstanceOf(BookSequenceError)

  know(snapshot(20))
  say(depth(9))
  const healed = client.watchBook('BTC')
  await subscribed(3)
  expect(received.map(({ method }) => method)).toEqual(['SUBSCRIBE', 'UNSUBSCRIBE', 'SUBSCRIBE'])
  say(depth(20), depth(21))
  expect(await healed).toMatchObject({ bids: [[100, expect.any(Number)]] })
  expect(connections).toHaveLength(1)
})

test('a refresh keeps the book until its snapshot has come, and applies what came meanwhile', async () => {
  const { client, say, know, onAsked, asked, received, subscribed } = await start()
  know(snapshot(5))
  const first = client.watchBook('BTC')
  await subscribed(1)
  say(depth(5))
  await first
  let answerLate = () => {}
  onAsked((_, response) => {
    const fresh = {
      lastUpdateId: 6,
      bids: [
        ['100', '6'],
        ['99', '7'],
      ],
      asks: [['101', '1']],
    }
    answerLate = () => response.end(JSON.stringify(fresh))
  })
  client.refreshBook('BTC')
  await until(() => asked.length === 2)
  for (const id of [6, 7]) {
    const next = client.watchBook('BTC')
    say(depth(id))
    expect(await next).toMatchObject({ bids: [[100, id]] })
  }
  const refreshed = client.watchBook('BTC')
  answerLate()
  const bids = [
    [100, 7],
    [99, 7],
  ]
  expect(await refreshed).toEqual({ bids, asks: [[101, 1]], atMs: START_MS + 7 })
  const next = client.watchBook('BTC')
  say(depth(8))
  expect(await next).toMatchObject({
    bids: [
      [100, 8],
      [99, 7],
    ],
  })
  expect(received).toHaveLength(1)
})

test('a refresh that the venue refuses, or answers with an old snapshot, leaves the book as it was', async () => {
  const { client, say, know, onAsked, asked, received, subscribed } = await start()
  know(snapshot(5))
  const first = client.watchBook('BTC')
  await subscribed(1)
  say(depth(5))
  await first
  const second = client.watchBook('BTC')
  say(depth(6))
  await second
  client.refreshBook('BTC')
  await until(() => asked.length === 4)
  onAsked((_, response) => response.writeHead(418, { 'retry-after': '259200' }).end('{}'))
  const third = client.watchBook('BTC')
  say(depth(7))
  expect(await third).toMatchObject({ bids: [[100, 7]] })
  client.refreshBook('BTC')
  await until(() => asked.length === 5)
  const fourth = client.watchBook('BTC')
  say(depth(8))
  expect(await fourth).toMatchObject({ bids: [[100, 8]] })
  expect(received).toHaveLength(1)
})

test('a connection lost while a snapshot is on its way leaves nothing behind', async () => {
  const { client, clock, say, onAsked, know, connections, subscribed, asked } = await start()
  let answerLate = () => {}
  onAsked((_, response) => {
    answerLate = () => response.end(JSON.stringify(snapshot(5)))
  })
  const watched = failureOf(client.watchBook('BTC'))
  await subscribed(1)
  say(depth(5), depth(6))
  await until(() => asked.length === 1)
  connections[0]?.terminate()
  expect(String(await watched)).toContain('closed with 1006')

  clock.advance(CONNECT_WAIT_MS)
  const again = client.watchBook('BTC')
  await subscribed(2)
  answerLate()
  know(snapshot(50))
  say(depth(50), depth(51))
  expect((await again).bids[0]?.[1]).toBeGreaterThanOrEqual(50)
  expect(connections).toHaveLength(2)
})

test('a connection that the venue closes is replaced, and every stream is subscribed anew', async () => {
  const { client, clock, connections, received, say, subscribed } = await start()
  const watched = [failureOf(client.watchTrades('BTC')), failureOf(client.watchTrades('ETH'))]
  await subscribed(1)
  connections[0]?.close(1001)
  for (const failure of await Promise.all(watched)) expect(String(failure)).toContain('1001')
  // It brought nothing, so the next one does not follow at once.
  expect(String(await failureOf(client.watchTrades('BTC')))).toContain('the next connection is due in 125 ms')
  clock.advance(CONNECT_WAIT_MS)
  const again = client.watchTrades('BTC')
  client.watchTrades('ETH').catch(() => {})
  await until(() => connections.length === 2 && received.at(-1)?.method === 'SUBSCRIBE')
  say(trade(1))
  expect(await again).toMatchObject([{ id: 1 }])
})

test('a venue that ends each connection after a trade is met ever more rarely', async () => {
  const { client, clock, connections, say } = await start()
  const waits: string[] = []
  for (const id of [1, 2, 3]) {
    const watched = client.watchTrades('BTC')
    await until(() => connections.length === id)
    await drained(connections[id - 1])
    say(trade(id))
    await watched
    const ended = failureOf(client.watchTrades('BTC'))
    connections[id - 1]?.terminate()
    await ended
    waits.push(String(await failureOf(client.watchTrades('BTC'))).replace(/.* due in /, ''))
    clock.advance(500)
  }
  expect(waits).toEqual(['125 ms', '250 ms', '500 ms'])
})

test('trades that nobody waited for are handed out later, in order', async () => {
  const { client, connections, say, subscribed } = await start()
  const first = client.watchTrades('BTC')
  await subscribed(1)
  say(trade(1), trade(2), trade(3))
  expect(await first).toMatchObject([{ id: 1 }])
  await drained(connections[0])
  expect(await client.watchTrades('BTC')).toMatchObject([{ id: 2 }, { id: 3 }])
})

test('a ping is answered with its own payload', async () => {
  const { client, connections, subscribed } = await start()
  client.watchTrades('BTC').catch(() => {})
  await subscribed(1)
  const pong = once(connections[0] ?? new EventEmitter(), 'pong')
  connections[0]?.ping('1767614400000')
  expect(String((await pong)[0])).toBe('1767614400000')
})

test('a quiet coin is no silence of the connection; nothing at all for three seconds is', async () => {
  const { client, clock, say, silences, subscribed, connections } = await start()
  // No snapshot comes: the changes of one book are all that shows that the connection lives.
  client.watchBook('BTC').catch(() => {})
  client.watchTrades('ETH').catch(() => {})
  await subscribed(1)
  for (let second = 1; second <= 8; second++) {
    say(depth(second))
    await drained(connections[0])
    clock.advance(1_000)
  }
  expect(silences).toEqual([])
  clock.advance(1_000)
  expect(silences).toEqual([])
  clock.advance(2_000)
  expect(silences).toEqual([10_000, 11_000])
})

test('what breaks its format is counted and changes nothing', async () => {
  const { client, malformed, say, subscribed, connections } = await start()
  const watched = client.watchTrades('BTC')
  await subscribed(1)
  say('{"e":"aggTr', 'null', '[]', { ...trade(1), p: 'NaN' }, { ...depth(1), b: [['1']] })
  say({ ...trade(1), s: { toString: 1 } }, { result: null, id: 1 })
  connections[0]?.send(Buffer.from('{}'), { binary: true })
  say(trade(2))
  expect(await watched).toMatchObject([{ id: 2 }])
  expect(malformed).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    [undefined, undefined],
    ['trades', 'BTC'],
    ['book', 'BTC'],
    ['trades', undefined],
    [undefined, undefined],
  ])
})

test('a frame too large ends the connection, and a refused subscription is told', async () => {
  const { client, clock, connections, say, subscribed } = await start()
  const watched = failureOf(client.watchTrades('BTC'))
  await subscribed(1)
  say('x'.repeat(2 * 1024 * 1024 + 1))
  expect(String(await watched)).toContain('Max payload size exceeded')
  clock.advance(CONNECT_WAIT_MS)
  const again = failureOf(client.watchTrades('BTC'))
  await subscribed(2)
  say({ code: 2, msg: 'Invalid request: too many streams', id: 2 })
  expect(String(await again)).toContain('too many streams')
  expect(connections).toHaveLength(2)
})

test('no more messages are sent than the venue allows', async () => {
  const { client, clock, connections, received, subscribed } = await start({ isPaced: true })
  for (const coin of COINS) {
    client.watchBook(coin).catch(() => {})
    await subscribed(1)
    client.watchTrades(coin).catch(() => {})
  }
  await drained(connections[0])
  expect(received.length).toBeLessThanOrEqual(2)
  clock.advance(1_000)
  await until(() => received.flatMap(({ params }) => params).length === 2 * COINS.length)
  expect(received.length).toBeLessThanOrEqual(4)
})

test('trades are read page by page, and broken rows are left out and counted', async () => {
  const { client, malformed, asked, onAsked } = await start()
  onAsked(({ searchParams }, response) => {
    const from = Number(searchParams.get('fromId'))
    const rows = Array.from({ length: 1_000 }, (_, at) => trade(from + at))
    response.end(JSON.stringify(rows.map((row) => (row.a === 700 ? { ...row, q: null } : row))))
  })
  const trades = await client.tradesBetween('BTC', 500, 2_400)
  expect(trades).toHaveLength(1_900)
  expect([trades[0]?.id, trades.at(-1)?.id]).toEqual([500, 2_400])
  expect(asked).toHaveLength(2)
  expect(malformed).toEqual([['trades', 'BTC']])
})

test('a reply that is no list is a failure, not an empty market', async () => {
  const { client, know } = await start()
  know({ code: 0, msg: 'ok' })
  await expect(client.tradesBetween('BTC', 1, undefined)).rejects.toThrow('not a list')
  await expect(client.klines('BTC', START_MS - 60_000, START_MS)).rejects.toThrow('not a list')
})

test('after close every watch rejects', async () => {
  const { client, subscribed } = await start()
  const watched = failureOf(client.watchTrades('BTC'))
  await subscribed(1)
  await client.close()
  expect(String(await watched)).toContain('closed')
  await expect(client.watchBook('BTC')).rejects.toThrow('closed')
  await expect(client.latestTrade('BTC')).rejects.toThrow('closed')
})
