import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { connectRecording } from '../../testing/sandbox/recording-client.ts'
import { type Internet, startInternet } from '../internet.ts'
import { createSimulatedMarket, type SimulatedMarket } from '../market/simulated-market.ts'

const START_MS = Date.UTC(2026, 4, 6, 1)
let market: SimulatedMarket
let internet: Internet

beforeAll(async () => {
  market = createSimulatedMarket({
    seed: 'hostile',
    startMs: START_MS,
    cadence: { bookEveryMs: 1000, tradesPerSecond: 0.5 },
  })
  internet = await startInternet({ market, clock: createManualClock(START_MS) })
})
afterAll(() => internet.close())

const sockets = () => [
  `${internet.urls.BINANCE_WS}/ws`,
  internet.urls.COINBASE_WS,
  internet.urls.POLY_LIVE_WS,
]

async function expectAlive() {
  await internet.advanceTo(market.nowMs() + 1_000)
  expect((await fetch(`${internet.urls.BINANCE}/api/v3/ping`)).status).toBe(200)
  for (const url of sockets()) (await connectRecording(url)).close()
}

/** Messages that look right until one looks closer. */
const nearMiss = fc.record(
  {
    op: fc.constantFrom('auth', 'subscribe', 'unsubscribe', 'ping'),
    method: fc.constantFrom('SUBSCRIBE', 'UNSUBSCRIBE', 'LIST_SUBSCRIPTIONS'),
    type: fc.constantFrom('subscribe', 'unsubscribe'),
    id: fc.jsonValue({ maxDepth: 1 }),
    rid: fc.jsonValue({ maxDepth: 1 }),
    params: fc.jsonValue({ maxDepth: 1 }),
    channels: fc.jsonValue({ maxDepth: 1 }),
    product_ids: fc.jsonValue({ maxDepth: 1 }),
    subscriptions: fc.jsonValue({ maxDepth: 1 }),
    auth: fc.jsonValue({ maxDepth: 1 }),
  },
  { requiredKeys: [] },
)

it('survives any text and any almost right message', async () => {
  const clients = await Promise.all(sockets().map(connectRecording))
  const texts = [
    ...fc.sample(fc.string({ unit: 'binary' }), 200),
    ...fc.sample(
      nearMiss.map((m) => JSON.stringify(m)),
      150,
    ),
  ]
  for (const client of clients) for (const text of texts) client.sendRaw(text)
  await expectAlive()
  for (const client of clients) client.close()
})

it('survives a value that cannot become a text', async () => {
  for (const url of sockets()) {
    const client = await connectRecording(url)
    for (const key of ['type', 'op', 'method', 'id', 'rid', 'channels'])
      client.sendRaw(`{"type":"subscribe","channels":[{"name":{"toString":1}}],"${key}":{"toString":1}}`)
    client.close()
  }
  await expectAlive()
})

it('ignores binary frames and cuts off oversized ones', async () => {
  for (const url of sockets()) {
    const client = await connectRecording(url)
    client.sendRaw(Buffer.from([0xff, 0xfe, 0]))
    client.sendRaw('x'.repeat(65 * 1024))
    expect(await client.closed).toBe(1009)
  }
  await expectAlive()
})

it('survives broken HTTP, broken upgrades and clients that vanish', async () => {
  const { port } = new URL(internet.urls.BINANCE)
  const upgrade = 'HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n'
  const requests = [
    'nonsense\r\n\r\n',
    'GET // HTTP/1.1\r\nhost: x\r\n\r\n',
    'GET http://[ HTTP/1.1\r\nhost: x\r\n\r\n',
    `GET // ${upgrade}\r\n`,
    `GET /binance/ws ${upgrade}sec-websocket-key: short\r\n\r\n`,
    `GET /nowhere ${upgrade}sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    `GET /coinbase ${upgrade}sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n\xff\xff\xff\xff`,
  ]
  for (const request of requests)
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(request, 'latin1'))
      socket.on('error', () => {})
      socket.on('data', () => socket.destroy())
      socket.on('close', () => resolve())
    })
  await expectAlive()
})

it('refuses bodies that are too large and methods that are not there', async () => {
  const { BINANCE, COINBASE } = internet.urls
  const body = 'x'.repeat(1024 * 1024 + 1)
  expect((await fetch(`${BINANCE}/api/v3/ping`, { method: 'POST', body })).status).toBe(413)
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    expect((await fetch(`${BINANCE}/api/v3/ping`, { method })).status).toBe(405)
    expect((await fetch(`${COINBASE}/products/BTC-USD/book`, { method, body: '{' })).status).toBe(405)
    expect((await fetch(`${COINBASE}/orders`, { method })).status).toBe(404)
  }
  await expectAlive()
})

it('answers any query with a status', async () => {
  const bases = [
    '/api/v3/klines',
    '/api/v3/aggTrades',
    '/api/v3/depth',
    '/api/v3/ticker/24hr',
    '/fapi/v1/fundingRate',
  ]
  const values = fc.constantFrom(
    'BTCUSDT',
    'x',
    '',
    '-1',
    '0',
    '1',
    '1e9',
    '9999999999999999',
    '1m',
    '["',
    'null',
    '%00',
  )
  const keys = fc.constantFrom('symbol', 'symbols', 'limit', 'interval', 'startTime', 'endTime', 'fromId')
  const query = fc.array(fc.tuple(keys, values), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...bases), query, async (path, pairs) => {
      const search = new URLSearchParams(pairs)
      for (const [key, value] of Object.entries({ symbol: 'BTCUSDT', interval: '1m' }))
        if (!search.has(key)) search.set(key, value)
      const response = await fetch(`${internet.urls.BINANCE}${path}?${search}`)
      expect([200, 400]).toContain(response.status)
      await response.text()
    }),
    { numRuns: 150 },
  )
})
