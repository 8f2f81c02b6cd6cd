import { beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../core/time/time.ts'
import { areRecordedMissing, recordedText } from '../../../testing/upstreams/recorded.ts'
import { createSimulatedMarket, type SimulatedMarket } from '../../market/simulated-market.ts'
import { createCoinGeckoServer } from '../coingecko/coingecko.ts'
import { wholeMarketAt } from '../coingecko/whole-market.ts'
import type { ProviderServer } from '../provider-server.ts'
import { fearGreedOf, levelOf } from './fear-greed.ts'
import { createFng } from './fng.ts'

const START_MS = Date.UTC(2026, 4, 6, 12)
const TODAY = Math.floor(START_MS / DAY_MS)
let market: SimulatedMarket
beforeAll(() => {
  const cadence = { bookEveryMs: 1000, tradesPerSecond: 0.1 }
  market = createSimulatedMarket({ seed: 'moods', startMs: START_MS, cadence })
})

async function get(server: ProviderServer, address: string, method = 'GET') {
  const [path = '', search = ''] = address.split('?')
  const reply = await server.rest({
    method,
    path,
    query: new URLSearchParams(search),
    headers: {},
    body: Buffer.alloc(0),
  })
  return reply && { status: reply.status, ...JSON.parse(String(reply.body)) }
}

describe('the simulated fear and greed index', () => {
  it('has a value a day, the newest first, with the time until the next', async () => {
    const { data, name } = await get(createFng(market), '/fng/?limit=3')
    expect(name).toBe('Fear and Greed Index')
    expect(data.map(({ timestamp }: { timestamp: string }) => Number(timestamp) * 1000)).toEqual(
      [0, 1, 2].map((back) => (TODAY - back) * DAY_MS),
    )
    expect(data[0].time_until_update).toBe(String(12 * 3600))
    expect(data[1]).not.toHaveProperty('time_until_update')
    expect(Object.keys((await get(createFng(market), '/fng/')).data)).toHaveLength(1)
    expect((await get(createFng(market), '/fng/?limit=0')).data).toHaveLength(365)
    expect((await get(createFng(market), '/fng/?limit=x')).status).toBe(400)
  })

  it('uses all of its words in a year, and is the same for the same seed', async () => {
    const { data } = await get(createFng(market), '/fng/?limit=0')
    const words = new Set(data.map((row: { value_classification: string }) => row.value_classification))
    expect(words).toEqual(new Set(['Extreme Fear', 'Fear', 'Neutral', 'Greed', 'Extreme Greed']))
    const again = await get(createFng(market), '/fng/?limit=5')
    expect(again.data.slice(1)).toEqual(data.slice(1, 5))
  })

  it('is greed after a rise, fear after a fall, and less greed when days are wild', () => {
    const rise = fearGreedOf((day) => day * 0.2, 100)
    const wild = fearGreedOf((day) => day * 0.2 + (day % 2 === 0 ? 2 : 0), 101)
    expect(rise).toBeGreaterThan(75)
    expect(fearGreedOf((day) => -day * 0.2, 100)).toBeLessThan(50)
    expect(wild).toBeLessThan(rise)
    expect(fearGreedOf((day) => day * 1e6, 100)).toBeGreaterThanOrEqual(5)
  })

  it('starts from the prices that the venues had at midnight', () => {
    const { logPrices } = market.latent.midnight(TODAY)
    expect(logPrices[0]).toBeCloseTo(market.latent.logPrice('coinbase', 'BTC', TODAY * DAY_MS + 300), 9)
    expect(levelOf(logPrices)).toBeGreaterThan(0)
  })
})

describe('the simulated CoinGecko', () => {
  it('says what the whole market is worth, in shares that belong to the prices of the venues', async () => {
    const { data } = await get(createCoinGeckoServer(market), '/api/v3/global')
    const btcUsd = Math.exp(market.latent.logPrice('coinbase', 'BTC', START_MS))
    expect(data.total_market_cap.usd / data.total_market_cap.btc).toBeCloseTo(btcUsd, 3)
    const btcCap = (data.market_cap_percentage.btc / 100) * data.total_market_cap.usd
    expect(btcCap / btcUsd).toBeCloseTo(19.95e6, 0)
    expect(data.market_cap_percentage.btc).toBeGreaterThan(40)
    expect(data.market_cap_percentage.btc).toBeLessThan(80)
    expect(data.updated_at).toBe(START_MS / 1000)
    const { caps } = wholeMarketAt(market.latent, START_MS)
    expect(data.market_cap_percentage).not.toHaveProperty('rest')
    expect(Object.keys(caps)).toContain('rest')
    const before = wholeMarketAt(market.latent, START_MS - DAY_MS)
    expect(data.market_cap_change_percentage_24h_usd).toBeCloseTo(
      (data.total_market_cap.usd / before.capUsd - 1) * 100,
      9,
    )
  })

  it('knows no other address and takes no other method', async () => {
    const server = createCoinGeckoServer(market)
    expect(await get(server, '/api/v3/coins/list')).toBeUndefined()
    expect(await get(server, '/api/v3/global', 'POST')).toMatchObject({ status: 405 })
  })
})

describe.skipIf(areRecordedMissing())('have the shape of the real ones', () => {
  const typesOf = (value: object) =>
    Object.fromEntries(Object.entries(value).map(([key, each]) => [key, typeof each]))
  it('the index', async () => {
    const real = JSON.parse(recordedText('recorded/alternative-me/fng.json'))
    const ours = await get(createFng(market), '/fng/?limit=2')
    expect(ours.data.map(typesOf)).toEqual(real.data.map(typesOf))
    expect(ours.metadata).toEqual(real.metadata)
  })
  it('the whole market', async () => {
    const real = JSON.parse(recordedText('recorded/coingecko/global.json')).data
    const { data } = await get(createCoinGeckoServer(market), '/api/v3/global')
    expect(typesOf(data)).toEqual(typesOf(real))
    expect(typesOf(data.total_market_cap)).toEqual(typesOf(real.total_market_cap))
    expect(Object.keys(data.market_cap_percentage)).toHaveLength(
      Object.keys(real.market_cap_percentage).length,
    )
  })
})
