import { expect, onTestFinished, test } from 'vitest'
import { COINS, type Coin } from '../../src/core/coin.ts'
import { createManualClock } from '../../src/core/time/manual-clock.ts'
import { openSocket } from '../../src/feeds/open-socket.ts'
import { createBinanceClient } from '../../src/feeds/venues/binance/client.ts'
import { createCoinbaseClient } from '../../src/feeds/venues/coinbase/client.ts'
import { createHostGates } from '../../src/upstreams/rules/host-gate.ts'
import { drained, failureOf, startLoopbackVenue, until } from './loopback-venue.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)

/** Streams of all coins share one connection: what goes wrong with one of them must not touch the others. */
async function start(create: typeof createCoinbaseClient) {
  const venue = await startLoopbackVenue()
  const clock = createManualClock(START_MS)
  const malformed: unknown[][] = []
  const watch = { malformed: (...about: unknown[]) => void malformed.push(about), silent() {} }
  const client = create({
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
  return { ...venue, clock, client, malformed, subscribed }
}

function book(coin: Coin, size = '1') {
  return { type: 'snapshot', product_id: `${coin}-USD`, bids: [['100', size]], asks: [['101', '1']] }
}

const REFUSED = { type: 'error', message: 'Failed to subscribe', reason: 'XRP-USD is not a valid product' }
const ACCEPTED = { type: 'subscriptions', channels: [] }

test('a coin that Coinbase refuses fails alone, though all were asked for in one request', async () => {
  const { client, received, connections, malformed, say, subscribed } = await start(createCoinbaseClient)
  const [btc, eth, sol] = (['BTC', 'ETH', 'SOL'] as const).map((coin) => client.watchBook(coin))
  const xrp = failureOf(client.watchBook('XRP'))
  await subscribed(1)
  say(REFUSED)
  await subscribed(5)
  expect(received.slice(1)).toEqual(
    COINS.map((coin) => ({
      type: 'subscribe',
      channels: [{ name: 'level2_batch', product_ids: [`${coin}-USD`] }],
    })),
  )
  say(ACCEPTED, book('BTC'), ACCEPTED, book('ETH'), REFUSED, ACCEPTED, book('SOL'))
  expect(String(await xrp)).toContain('XRP-USD is not a valid product')
  for (const watched of [btc, eth, sol]) expect(await watched).toMatchObject({ bids: [[100, 1]] })

  const again = failureOf(client.watchBook('XRP'))
  await subscribed(6)
  say(REFUSED, REFUSED)
  expect(String(await again)).toContain('refused')
  await drained(connections[0])
  const next = client.watchBook('BTC')
  say(book('BTC', '2'))
  expect(await next).toMatchObject({ bids: [[100, 2]] })
  expect(connections).toHaveLength(1)
  // The last refusal answered no request.
  expect(malformed).toEqual([[undefined, undefined]])
})

test('a request that Binance refuses fails only what it asked for', async () => {
  const { client, connections, received, say, subscribed } = await start(createBinanceClient)
  const btc = client.watchTrades('BTC')
  await subscribed(1)
  say({ result: null, id: received[0]?.id })
  const xrp = failureOf(client.watchTrades('XRP'))
  await subscribed(2)
  say({ error: { code: 2, msg: 'Invalid request: unknown symbol' }, id: received[1]?.id })
  expect(String(await xrp)).toContain('unknown symbol')
  say({ e: 'aggTrade', E: START_MS, s: 'BTCUSDT', a: 1, p: '1', q: '1', f: 1, l: 1, T: START_MS, m: true })
  expect(await btc).toMatchObject([{ id: 1 }])
  expect(connections).toHaveLength(1)
})

test('a stream that is ill is subscribed anew; a connection that says nothing of any coin is replaced', async () => {
  const { client, clock, connections, received, say, subscribed } = await start(createCoinbaseClient)
  const all = COINS.map((coin) => client.watchBook(coin))
  await subscribed(1)
  say(ACCEPTED, ...COINS.map((coin) => book(coin)))
  await Promise.all(all)
  const btc = client.watchBook('BTC')
  const xrp = failureOf(client.watchBook('XRP'))
  client.restart('book', 'XRP')
  expect(String(await xrp)).toContain('starts over')
  client.watchBook('XRP').catch(() => {})
  await subscribed(3)
  expect(received.slice(1)).toEqual(
    ['unsubscribe', 'subscribe'].map((type) => ({
      type,
      channels: [{ name: 'level2_batch', product_ids: ['XRP-USD'] }],
    })),
  )
  say(book('BTC', '2'))
  expect(await btc).toMatchObject({ bids: [[100, 2]] })
  expect(connections).toHaveLength(1)

  const silent = failureOf(client.watchBook('BTC'))
  clock.advance(9_000)
  expect(connections).toHaveLength(1)
  clock.advance(1_000)
  expect(String(await silent)).toContain('connection silent')
})

test('coins that all had to start over within a minute get a new connection, though all are heard', async () => {
  const { client, say, subscribed } = await start(createCoinbaseClient)
  const all = COINS.map((coin) => client.watchBook(coin))
  await subscribed(1)
  say(ACCEPTED, ...COINS.map((coin) => book(coin)))
  await Promise.all(all)
  const trades = failureOf(client.watchTrades('BTC'))
  await subscribed(2)
  for (const coin of COINS) client.restart('book', coin)
  expect(String(await trades)).toContain('connection replaced')
})
