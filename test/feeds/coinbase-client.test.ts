import { expect, onTestFinished, test } from 'vitest'
import { createManualClock } from '../../src/core/time/manual-clock.ts'
import { openSocket } from '../../src/feeds/open-socket.ts'
import { createCoinbaseClient } from '../../src/feeds/venues/coinbase/client.ts'
import { BookSequenceError } from '../../src/feeds/venues/venue-client.ts'
import { createHostGates } from '../../src/upstreams/rules/host-gate.ts'
import { drained, failureOf, startLoopbackVenue, until } from './loopback-venue.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)
const MEGABYTE = 1024 * 1024

async function start() {
  const venue = await startLoopbackVenue()
  const malformed: unknown[][] = []
  const watch = { malformed: (...about: unknown[]) => void malformed.push(about), silent() {} }
  const clock = createManualClock(START_MS)
  const client = createCoinbaseClient({
    ...venue,
    clock,
    gates: createHostGates({ clock, random: () => 0 }),
    random: () => 0,
    watch,
    openSocket,
    isPaced: false,
  })
  onTestFinished(() => client.close())
  const subscribed = (count: number) => until(() => venue.received.length >= count)
  return { ...venue, clock, malformed, client, subscribed }
}

function snapshot(size: string, product_id = 'BTC-USD') {
  return { type: 'snapshot', product_id, bids: [['100.00', size]], asks: [['101.00', '1']] }
}

function change(size: string, afterMs: number, product_id = 'BTC-USD') {
  const time = new Date(START_MS + afterMs).toISOString()
  return { type: 'l2update', product_id, time, changes: [['buy', '100', size]] }
}

test('the book is the snapshot and the changes since; changes before it are not applied', async () => {
  const { client, received, say, subscribed } = await start()
  const first = client.watchBook('BTC')
  await subscribed(1)
  expect(received).toEqual([
    { type: 'subscribe', channels: [{ name: 'level2_batch', product_ids: ['BTC-USD'] }] },
  ])
  say(change('9', 1), snapshot('1'))
  expect(await first).toEqual({ bids: [[100, 1]], asks: [[101, 1]], atMs: undefined })
  const second = client.watchBook('BTC')
  say(change('2', 2))
  expect(await second).toEqual({ bids: [[100, 2]], asks: [[101, 1]], atMs: START_MS + 2 })
})

test('a change older than the one before it: the book starts over from a new snapshot', async () => {
  const { client, received, say, subscribed, connections } = await start()
  const first = client.watchBook('BTC')
  await subscribed(1)
  say(snapshot('1'), change('2', 2))
  await first
  await drained(connections[0])
  expect(await client.watchBook('BTC')).toMatchObject({ bids: [[100, 2]] })
  const broken = failureOf(client.watchBook('BTC'))
  say(change('1.5', 1))
  expect(await broken).toBeInstanceOf(BookSequenceError)

  const healed = client.watchBook('BTC')
  await subscribed(3)
  expect(received.map(({ type }) => type)).toEqual(['subscribe', 'unsubscribe', 'subscribe'])
  say(change('8', 3), snapshot('7'))
  expect(await healed).toMatchObject({ bids: [[100, 7]] })
})

test('a message that cannot be read puts every book in doubt, a broken trade none', async () => {
  const { client, malformed, say, subscribed, connections } = await start()
  const books = [client.watchBook('BTC'), client.watchBook('ETH')]
  await subscribed(1)
  say(snapshot('1'), snapshot('1', 'ETH-USD'))
  await Promise.all(books)
  const next = [failureOf(client.watchBook('BTC')), failureOf(client.watchBook('ETH'))]
  say({ type: 'match', product_id: 'BTC-USD', price: 'NaN' })
  await drained(connections[0])
  say('{"type":"l2upd')
  for (const failure of await Promise.all(next)) expect(failure).toBeInstanceOf(BookSequenceError)
  expect(malformed).toEqual([
    ['trades', 'BTC'],
    [undefined, undefined],
  ])
})

test('a book that is to start over rejects its watch and subscribes anew', async () => {
  const { client, received, say, subscribed } = await start()
  const first = failureOf(client.watchBook('BTC'))
  await subscribed(1)
  client.resyncBook('BTC')
  expect(String(await first)).toContain('starts over')
  const second = client.watchBook('BTC')
  await subscribed(3)
  expect(received.map(({ type }) => type)).toEqual(['subscribe', 'unsubscribe', 'subscribe'])
  say(snapshot('3'))
  expect(await second).toMatchObject({ bids: [[100, 3]] })
})

test('a snapshot of several megabytes is read, one beyond the bound ends the connection', async () => {
  const { client, say, subscribed } = await start()
  const levels = Array.from({ length: 50_000 }, (_, at) => [(100_000 - at).toFixed(8), '0.12345678'])
  const asks = Array.from({ length: 50_000 }, (_, at) => [(100_001 + at).toFixed(8), '0.12345678'])
  const large = { type: 'snapshot', product_id: 'BTC-USD', bids: levels, asks }
  expect(JSON.stringify(large).length).toBeGreaterThan(3 * MEGABYTE)
  const watched = client.watchBook('BTC')
  await subscribed(1)
  say(large)
  const { bids, asks: best } = await watched
  expect([bids.length, bids[0], best[0]]).toEqual([20, [100_000, 0.12345678], [100_001, 0.12345678]])
  const next = failureOf(client.watchBook('BTC'))
  say('x'.repeat(16 * MEGABYTE + 1))
  expect(String(await next)).toContain('Max payload size exceeded')
})

test('a lost connection is told to every stream, also to one that nobody is waiting for', async () => {
  const { client, clock, connections, received, say, subscribed } = await start()
  const book = client.watchBook('BTC')
  const trades = failureOf(client.watchTrades('BTC'))
  await until(() => received.length >= 1)
  say(snapshot('1'))
  await book
  connections[0]?.terminate()
  await trades
  await expect(client.watchBook('BTC')).rejects.toThrow('closed with 1006')
  // The connection was short, so the next one does not follow at once.
  clock.advance(125)
  const again = client.watchBook('BTC')
  const count = received.length
  await subscribed(count + 1)
  say(snapshot('2'))
  expect(await again).toMatchObject({ bids: [[100, 2]] })
  expect(connections).toHaveLength(2)
})

test('a refused subscription is told in the words of the venue', async () => {
  const { client, say, subscribed } = await start()
  const watched = failureOf(client.watchTrades('BTC'))
  await subscribed(1)
  say({ type: 'error', message: 'Failed to subscribe', reason: 'BTC-USD is not a valid product' })
  expect(String(await watched)).toContain('Failed to subscribe: BTC-USD is not a valid product')
})
