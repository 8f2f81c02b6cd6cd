import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listedMarket } from '../../src/testing/products/hand-made-prediction.ts'
import type { PredictionMarket } from '../../src/upstreams/polymarket/prediction-market.ts'
import { openPredmkt, type Predmkt } from './predmkt-world.ts'

const MINUTE_MS = 60_000
let world: Predmkt
beforeAll(async () => {
  world = await openPredmkt()
})
afterAll(() => world.close())
beforeEach(() => world.reset())

function list(markets: readonly PredictionMarket[], ageMs = 0) {
  const asOfMs = world.clock.now() - ageMs
  const last = { value: markets, asOfMs, events: markets.length, isAll: true }
  world.services.list = { last: () => last, nextMs: () => asOfMs + 5 * MINUTE_MS, missing: () => 'made up' }
}
type Shown = { slug: string; [key: string]: unknown }
const ask = async (query: string, path = '/predmkt/markets') => {
  const { status, json } = await world.ask(`${path}${query}`)
  expect(status).toBe(200)
  return json
}
const slugs = async (query: string, path?: string) =>
  (await ask(query, path)).markets.map(({ slug }: Shown) => slug)

describe('GET /predmkt/markets', () => {
  test('sorts by the volume of a day, then by slug, unknown ones last', async () => {
    list([
      listedMarket('unknown-b', { volume24hUsd: undefined }),
      listedMarket('b', { volume24hUsd: 5 }),
      listedMarket('nothing', { volume24hUsd: 0 }),
      listedMarket('unknown-a', { volume24hUsd: Number.NaN }),
      listedMarket('a', { volume24hUsd: 5 }),
      listedMarket('most', { volume24hUsd: 6 }),
    ])
    expect(await slugs('')).toEqual(['most', 'a', 'b', 'nothing', 'unknown-a', 'unknown-b'])
  })

  test('says when it was read, and what is known of each market', async () => {
    const endsAtMs = world.clock.now() + 90_500
    list(
      [listedMarket('m', { endsAtMs, volumeUsd: undefined, bestBid: undefined, category: 'Crypto' })],
      MINUTE_MS,
    )
    const reply = await ask('')
    const readMs = world.clock.now() - MINUTE_MS
    expect(reply).toMatchObject({
      timestamp: new Date(readMs).toISOString(),
      refreshed_at: new Date(readMs).toISOString(),
      next_refresh_at: new Date(readMs + 5 * MINUTE_MS).toISOString(),
      events_read: 1,
      count: 1,
      matching: 1,
      categories: [{ category: 'crypto', markets: 1 }],
    })
    expect(reply.markets[0]).toMatchObject({
      category: 'crypto',
      seconds_remaining: 91,
      ends_at: new Date(endsAtMs).toISOString(),
      volume_24h_usd: 1_000,
      volume_usd: null,
      best_bid: null,
      best_ask: 0.61,
      outcomes: [
        { label: 'Yes', token_id: '1', price: 0.6 },
        { label: 'No', token_id: '2', price: 0.4 },
      ],
    })
    world.clock.advance(1_000)
    expect((await ask('')).markets[0].seconds_remaining).toBe(90)
  })

  test('category: in any case; one that is not listed is an empty list that names those that are', async () => {
    list([
      listedMarket('p'),
      listedMarket('c', { category: 'crypto' }),
      listedMarket('d', { category: 'crypto' }),
    ])
    expect(await slugs('?category=crypto')).toEqual(['c', 'd'])
    expect(await slugs('?category=%20CRYPTO')).toEqual(['c', 'd'])
    expect(await ask('?category=sport')).toMatchObject({
      count: 0,
      matching: 0,
      markets: [],
      note: 'no market is listed under "sport"; categories names those that there are',
      categories: [
        { category: 'crypto', markets: 2 },
        { category: 'politics', markets: 1 },
      ],
    })
    expect((await ask('?category=crypto&min_volume=5000')).note).toBe('no market passes these filters')
    expect((await ask(`?category=${'x'.repeat(40)}`)).count).toBe(0)
  })

  test('active_only leaves out what is closed, inactive or over, to the millisecond', async () => {
    const nowMs = world.clock.now()
    list([
      listedMarket('runs', { endsAtMs: nowMs + 1 }),
      listedMarket('no-end'),
      listedMarket('over', { endsAtMs: nowMs }),
      listedMarket('closed', { closed: true }),
      listedMarket('inactive', { active: false }),
    ])
    expect(await slugs('')).toEqual(['no-end', 'runs'])
    expect(await slugs('?active_only=true')).toEqual(['no-end', 'runs'])
    const all = await ask('?active_only=false')
    expect(
      all.markets.map(({ slug, active, seconds_remaining }: Shown) => [slug, active, seconds_remaining]),
    ).toEqual([
      ['closed', false, null],
      ['inactive', false, null],
      ['no-end', true, null],
      ['over', false, 0],
      ['runs', true, 1],
    ])
  })

  test('min_volume at and beyond the volume; unknown passes only 0', async () => {
    list([listedMarket('some', { volume24hUsd: 99.5 }), listedMarket('unknown', { volume24hUsd: undefined })])
    expect(await slugs('?min_volume=0')).toEqual(['some', 'unknown'])
    expect(await slugs('?min_volume=0.000001')).toEqual(['some'])
    expect(await slugs('?min_volume=99.5')).toEqual(['some'])
    expect(await slugs('?min_volume=99.51')).toEqual([])
    expect(await slugs('?min_volume=1000000000000')).toEqual([])
  })

  test('limit at its bounds', async () => {
    list(Array.from({ length: 250 }, (_, at) => listedMarket(`m${at}`)))
    for (const [query, count] of [
      ['', 50],
      ['?limit=1', 1],
      ['?limit=200', 200],
    ] as const)
      expect(await ask(query)).toMatchObject({ count, matching: 250 })
  })

  test.each([
    'limit=0',
    'limit=201',
    'limit=1.5',
    'limit=ten',
    'limit=',
    'min_volume=-1',
    'min_volume=-0.01',
    'min_volume=1e3',
    'min_volume=NaN',
    'min_volume=Infinity',
    'min_volume=1000000000001',
    'active_only=1',
    'active_only=yes',
    'category=',
    'category=%20',
    `category=${'x'.repeat(41)}`,
    'categories=crypto',
    'limit=1&limit=2',
  ])('%s is 422 and free', async (query) => {
    expect((await world.ask(`/predmkt/markets?${query}`)).status).toBe(422)
    await ask('')
  })
})

describe.each(['/predmkt/markets', '/prediction-markets'])('the list behind %s', (path) => {
  test('is sold up to 15 minutes, and is 503 and free beyond', async () => {
    list([listedMarket('m')], 15 * MINUTE_MS)
    expect(await slugs('', path)).toEqual(['m'])
    list([listedMarket('m')], 15 * MINUTE_MS + 1)
    const old = await world.ask(path)
    expect([old.status, old.json]).toMatchObject([
      503,
      { code: 'stale_data', detail: 'the list of markets is 15 minutes old: made up' },
    ])
    world.services.list = { last: () => undefined, nextMs: () => 0, missing: () => 'the venue is down' }
    expect([await world.ask(path)]).toMatchObject([
      {
        status: 503,
        json: { code: 'upstream_unavailable', detail: 'no list of markets: the venue is down' },
      },
    ])
    list([listedMarket('m')])
    expect(await slugs('', path)).toEqual(['m'])
  })

  test('shows no hostile title, figure or time as it came', async () => {
    const figure = fc.oneof(
      fc.constantFrom(undefined, Number.NaN, Number.POSITIVE_INFINITY, -1, 1e300, -1e300, 8.64e15 + 1, -0),
      fc.double(),
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom('x'.repeat(100_000), '\u202e\u0007\n', '\ud800', '__proto__', '<script>'),
    )
    const hostile = fc
      .record({
        f: fc.array(figure, { minLength: 12, maxLength: 12 }),
        t: fc.array(text, { minLength: 6, maxLength: 6 }),
      })
      .map(({ f, t }) =>
        listedMarket(t[0] ?? '', {
          question: t[1] ?? '',
          conditionId: t[2] ?? '',
          event: { slug: t[3] ?? '', title: t[4] ?? '' },
          category: t[5] ?? '',
          outcomes: Array.from({ length: 30 }, () => ({
            label: t[1] ?? '',
            tokenId: undefined,
            price: f[0],
          })),
          endsAtMs: f[1],
          volume24hUsd: f[2],
          volume1wkUsd: f[3],
          volumeUsd: f[4],
          liquidityUsd: f[5],
          bestBid: f[6],
          bestAsk: f[7],
          lastTradePrice: f[8],
          priceChange24h: f[9],
        }),
      )
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 3 }), async (markets) => {
        list(markets)
        const reply = await ask(path === '/predmkt/markets' ? '?active_only=false' : '', path)
        for (const shown of textsIn(reply)) {
          expect([...shown].length).toBeLessThanOrEqual(260)
          expect(shown.isWellFormed() && !/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(shown)).toBe(
            true,
          )
        }
      }),
      { numRuns: 60 },
    )
  })
})

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
