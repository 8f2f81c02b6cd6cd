import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listedMarket } from '../../src/testing/products/hand-made-prediction.ts'
import type { PredictionMarket } from '../../src/upstreams/polymarket/prediction-market.ts'
import { openPredmkt, type Predmkt } from './predmkt-world.ts'

let world: Predmkt
beforeAll(async () => {
  world = await openPredmkt()
})
afterAll(() => world.close())
beforeEach(() => world.reset())

const path = '/prediction-markets'

function list(markets: readonly PredictionMarket[]) {
  const last = { value: markets, asOfMs: world.clock.now(), events: markets.length, isAll: true }
  world.services.list = { ...world.services.list, last: () => last }
}
type Shown = { slug: string; [key: string]: unknown }
const ask = async (query = '') => {
  const { status, json } = await world.ask(`${path}${query}`)
  expect(status).toBe(200)
  return json
}

describe('GET /prediction-markets', () => {
  test('odds, spread and volume trend of each market', async () => {
    list([
      listedMarket('a', { volume24hUsd: 1_250, volume1wkUsd: 7_000 }),
      listedMarket('b', { volume24hUsd: 1_249, volume1wkUsd: 7_000, bestBid: undefined }),
      listedMarket('c', { volume24hUsd: 800, volume1wkUsd: 7_000 }),
      listedMarket('d', { volume24hUsd: 700, volume1wkUsd: undefined }),
      listedMarket('e', { volume24hUsd: 0, volume1wkUsd: 0, bestBid: 0.7, outcomes: [] }),
    ])
    const { markets } = await ask()
    expect(
      markets.map(({ slug, favourite, spread, volume_trend }: Shown) => [
        slug,
        favourite,
        spread,
        volume_trend,
      ]),
    ).toEqual([
      ['a', { label: 'Yes', price: 0.6 }, 0.02, { ratio: 1.25, trend: 'rising' }],
      ['b', { label: 'Yes', price: 0.6 }, null, { ratio: 1.249, trend: 'steady' }],
      ['c', { label: 'Yes', price: 0.6 }, 0.02, { ratio: 0.8, trend: 'falling' }],
      ['d', { label: 'Yes', price: 0.6 }, 0.02, null],
      ['e', null, null, null],
    ])
  })

  test('movers and a summary of every category', async () => {
    list([
      listedMarket('a', { priceChange24h: 0.1 }),
      listedMarket('b', { priceChange24h: -0.3, category: 'sports', volume24hUsd: undefined }),
      listedMarket('c', { priceChange24h: -0.2, category: 'sports', volume24hUsd: 2_000 }),
      listedMarket('d', { priceChange24h: 0.2, volume24hUsd: 100, volume1wkUsd: undefined }),
      listedMarket('e', { priceChange24h: 0.9, volume24hUsd: 99.99, volume1wkUsd: undefined }),
      listedMarket('f', { priceChange24h: undefined }),
      listedMarket('g', { priceChange24h: 0.5, closed: true }),
    ])
    const reply = await ask()
    expect(reply.movers.map(({ slug, direction }: Shown) => [slug, direction])).toEqual([
      ['c', 'down'],
      ['d', 'up'],
      ['a', 'up'],
    ])
    const politics = { category: 'politics', markets: 4, volume_24h_usd: 2_199.99, liquidity_usd: 8_000 }
    const sports = { category: 'sports', markets: 2, volume_24h_usd: 2_000, liquidity_usd: 4_000 }
    expect(reply.categories).toEqual([
      { ...politics, unknown_volume: 0, volume_trend: { ratio: 1, trend: 'steady' } },
      { ...sports, unknown_volume: 1, volume_trend: { ratio: 2, trend: 'rising' } },
    ])
    const narrow = await ask('?category=sports&limit=1')
    expect(narrow).toMatchObject({
      count: 1,
      matching: 2,
      markets: [{ slug: 'c' }],
      categories: reply.categories,
    })
    expect(narrow.movers.map(({ slug }: Shown) => slug)).toEqual(['c'])
    expect(await ask('?category=tennis')).toMatchObject({
      markets: [],
      movers: [],
      note: expect.stringContaining('tennis'),
    })
  })

  test('a market younger than a week has no trend, and counts for none', async () => {
    const nowMs = world.clock.now()
    const weekMs = 7 * 86_400_000
    const week = { volume24hUsd: 1_000, volume1wkUsd: 1_000 }
    list([
      listedMarket('a', { ...week, listedAtMs: nowMs - weekMs + 1 }),
      listedMarket('b', { ...week, listedAtMs: undefined }),
      listedMarket('c', { volume1wkUsd: 7_000, listedAtMs: nowMs - weekMs }),
    ])
    const { markets, categories } = await ask()
    const steady = { ratio: 1, trend: 'steady' }
    expect(markets.map(({ volume_trend }: Shown) => volume_trend)).toEqual([null, null, steady])
    expect(categories).toMatchObject([{ markets: 3, volume_24h_usd: 3_000, volume_trend: steady }])
    list([listedMarket('a', { ...week, listedAtMs: nowMs })])
    expect((await ask()).categories).toMatchObject([{ volume_trend: null }])
  })

  test('a five-minute window is no mover, and what the venue does not say is null', async () => {
    list([
      listedMarket('btc-updown-5m-1767614400', { priceChange24h: 0.49 }),
      listedMarket('btc-updown-5m-soon', { acceptingOrders: undefined }),
    ])
    const { movers, markets } = await ask()
    expect(movers.map(({ slug }: Shown) => slug)).toEqual(['btc-updown-5m-soon'])
    expect(markets.map(({ accepting_orders }: Shown) => accepting_orders)).toEqual([true, null])
  })

  test('limit at its bounds, and the same list gives the same reply', async () => {
    list(Array.from({ length: 120 }, (_, at) => listedMarket(`m${at}`)))
    for (const [query, count] of [
      ['', 30],
      ['?limit=1', 1],
      ['?limit=100', 100],
    ] as const)
      expect(await ask(query)).toMatchObject({ count, matching: 120 })
    expect(await ask()).toEqual(await ask())
  })

  test.each(['limit=0', 'limit=101', 'limit=x', 'category=', 'min_volume=1', 'active_only=true'])(
    '%s is 422 and free',
    async (query) => {
      expect((await world.ask(`${path}?${query}`)).status).toBe(422)
      await ask()
    },
  )
})
