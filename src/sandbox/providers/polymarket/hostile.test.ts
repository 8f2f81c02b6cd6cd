import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createManualClock, type ManualClock } from '../../../core/time/manual-clock.ts'
import { connectText } from '../../../testing/sandbox/text-client.ts'
import { type Internet, startInternet } from '../../internet.ts'
import { createSimulatedMarket, type SimulatedMarket } from '../../market/simulated-market.ts'
import { createPredictionVenue } from '../../prediction/prediction-venue.ts'

const START_MS = Date.UTC(2026, 4, 6, 1)
let market: SimulatedMarket
let clock: ManualClock
let internet: Internet

beforeAll(async () => {
  const cadence = { bookEveryMs: 1000, tradesPerSecond: 0.5 }
  market = createSimulatedMarket({ seed: 'hostile', startMs: START_MS, cadence })
  clock = createManualClock(START_MS)
  const venue = createPredictionVenue({ seed: 'hostile', market })
  internet = await startInternet({ market, clock, venue })
})
afterAll(() => internet.close())

const slug = `btc-updown-5m-${START_MS / 1000}`
const token = () => internet.venue.findBySlug(slug)?.tokenIds[0] ?? ''

async function expectAlive() {
  await internet.advanceTo(market.nowMs() + 1_000)
  expect((await fetch(`${internet.urls.CLOB}/ok`)).status).toBe(200)
  const client = await connectText(`${internet.urls.CLOB_WS}/market`)
  client.send({ type: 'market', assets_ids: [token()] })
  while (client.texts.length === 0) await new Promise((resolve) => setImmediate(resolve))
  expect(client.texts[0]).toContain(token())
  client.close()
}

it('survives any text and any almost right message', async () => {
  const client = await connectText(`${internet.urls.CLOB_WS}/market`)
  const odd = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant({ toString: 1, valueOf: null }))
  const assets = fc.oneof(odd, fc.array(fc.constantFrom(token(), '1', '', 'x'), { maxLength: 3 }))
  const nearMiss = fc.record(
    {
      type: fc.oneof(odd, fc.constantFrom('market', 'MARKET', 'user')),
      operation: fc.oneof(odd, fc.constantFrom('subscribe', 'unsubscribe')),
      assets_ids: assets,
      initial_dump: odd,
      custom_feature_enabled: odd,
    },
    { requiredKeys: [] },
  )
  const texts = [
    ...fc.sample(fc.string({ unit: 'binary' }), 200),
    ...fc.sample(nearMiss, 400).map((message) => JSON.stringify(message)),
    `${'['.repeat(30_000)}`,
    '{"__proto__":{"type":"market"},"assets_ids":["1"]}',
  ]
  for (const text of texts) client.sendRaw(text)
  client.sendRaw(Buffer.from([0xff, 0xfe, 0]))
  await expectAlive()
  client.sendRaw('x'.repeat(65 * 1024))
  expect((await client.closed).code).toBe(1009)
  await expectAlive()
})

const PATHS = {
  GAMMA: '/events /markets /public-search /tags /series /events/slug/ /markets/slug/ /events/'.split(' '),
  CLOB: '/book /price /midpoint /spread /tick-size /prices-history /markets /simplified-markets /last-trade-price /markets/ /clob-markets/ /markets-by-token/'.split(
    ' ',
  ),
  POLY_WEB: '/api/geoblock /api/crypto/crypto-price'.split(' '),
}
const KEYS =
  'limit offset order ascending closed active slug tag_slug end_date_min condition_ids q page token_id side market interval startTs endTs fidelity next_cursor symbol eventStartTime endDate twapEnabled'.split(
    ' ',
  )
const VALUES = [
  '',
  slug,
  ...'x -1 0 1 1e9 999999999 9999999999999999 NaN null true volume24hr __proto__ constructor 2026-05-06T01:00:00Z +275760-09-13 9999-99-99 BUY 1h BTC %00 LTE= ../../etc'.split(
    ' ',
  ),
]

it('answers any query with a status, and with no number that is none', async () => {
  const host = fc.constantFrom('GAMMA', 'CLOB', 'POLY_WEB' as const)
  const query = fc.array(fc.tuple(fc.constantFrom(...KEYS), fc.constantFrom(...VALUES)), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(host, fc.nat(), fc.constantFrom(...VALUES), query, async (base, n, name, pairs) => {
      clock.advance(10_000)
      const paths = PATHS[base]
      const path = paths[n % paths.length] ?? '/'
      const target = path.endsWith('/') ? path + encodeURIComponent(name) : path
      const reply = await fetch(`${internet.urls[base]}${target}?${new URLSearchParams(pairs)}`)
      expect([200, 400, 404, 422]).toContain(reply.status)
      expect(await reply.text()).not.toMatch(/NaN|Infinity|undefined|\[object/)
    }),
    { numRuns: 120 },
  )
})

it('answers any body with a status', async () => {
  const bodies = [
    '',
    '{',
    '{}',
    'null',
    '[]',
    '[null]',
    '[{"token_id":1}]',
    '[{"token_id":"__proto__","side":"BUY"}]',
    `[{"token_id":"${token()}","side":{"toString":1}}]`,
    JSON.stringify(Array.from({ length: 501 }, () => ({ token_id: '1' }))),
    '['.repeat(100_000),
  ]
  for (const path of ['/books', '/prices', '/midpoints', '/spreads', '/last-trades-prices'])
    for (const body of bodies) {
      const reply = await fetch(internet.urls.CLOB + path, { method: 'POST', body })
      expect([200, 400]).toContain(reply.status)
      await reply.text()
    }
  for (const method of ['PUT', 'DELETE', 'PATCH', 'POST'])
    expect((await fetch(`${internet.urls.CLOB}/book?token_id=${token()}`, { method })).status).toBe(405)
  expect((await fetch(`${internet.urls.GAMMA}/events`, { method: 'POST' })).status).toBe(405)
})

it('refuses those who ask too often, and says how near they came', async () => {
  const ask = async () => (await fetch(`${internet.urls.POLY_WEB}/api/geoblock`)).status
  clock.advance(10_000)
  const statuses: number[] = []
  for (let count = 0; count < 21; count++) statuses.push(await ask())
  expect(statuses).toEqual([...Array(20).fill(200), 429])
  const usage = internet.usage().find(({ provider }) => provider === 'poly_web')
  expect(usage).toMatchObject({ limit: 20, largest: 21, refused: 1 })
  clock.advance(10_000)
  expect(await ask()).toBe(200)
})
