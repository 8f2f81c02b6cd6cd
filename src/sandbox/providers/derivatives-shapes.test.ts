import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COINS } from '../../core/coin.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { HOUR_MS } from '../../core/time/time.ts'
import { connectRecording, heardOne } from '../../testing/sandbox/recording-client.ts'
import { areRecordedMissing, recordedText } from '../../testing/upstreams/recorded.ts'
import { type Internet, startInternet } from '../internet.ts'
import { PERPETUAL_VENUES } from '../market/perpetual-venues.ts'
import { createSimulatedMarket, type SimulatedMarket } from '../market/simulated-market.ts'

const areMissing = areRecordedMissing()
const START_MS = Date.UTC(2026, 4, 6, 7, 45)
let market: SimulatedMarket
let internet: Internet

beforeAll(async () => {
  market = createSimulatedMarket({ seed: 'derivatives', startMs: START_MS, cadence: { bookEveryMs: 10_000 } })
  internet = await startInternet({ market, clock: createManualClock(START_MS) })
})
afterAll(() => internet.close())

/** Key names and JSON types, all the way down; a list is as its first item. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]))
}
const get = async (url: string) => JSON.parse(await (await fetch(url)).text())
const info = async (body: unknown) => {
  const response = await fetch(`${internet.urls.HYPERLIQUID}/info`, {
    method: 'POST',
    body: JSON.stringify(body),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

describe.skipIf(areMissing)('simulated derivatives venues have the shape of the real ones', () => {
  const recorded = (file: string) => JSON.parse(recordedText(`recorded/${file}`))

  it.each([
    ['binance/fapi_ticker24hr.json', 'BINANCE_FUTURES', '/fapi/v1/ticker/24hr'],
    ['binance/fapi_openInterest.json', 'BINANCE_FUTURES', '/fapi/v1/openInterest?symbol=BTCUSDT'],
    [
      'binance/futures_data_openInterestHist.json',
      'BINANCE_FUTURES',
      '/futures/data/openInterestHist?symbol=BTCUSDT&period=1h&limit=3',
    ],
    [
      'bybit/v5_market_funding_history.json',
      'BYBIT',
      '/v5/market/funding/history?category=linear&symbol=BTCUSDT',
    ],
    [
      'bybit/v5_market_open_interest.json',
      'BYBIT',
      '/v5/market/open-interest?category=linear&symbol=BTCUSDT&intervalTime=1h',
    ],
    ['okx/http_get_mark_price.json', 'OKX', '/api/v5/public/mark-price?instType=SWAP'],
    [
      'okx/public_funding_rate_history.json',
      'OKX',
      '/api/v5/public/funding-rate-history?instId=BTC-USDT-SWAP',
    ],
  ] as const)('%s', async (file, upstream, path) => {
    expect(shapeOf(await get(internet.urls[upstream] + path))).toEqual(shapeOf(recorded(file)))
  })

  it('Hyperliquid', async () => {
    const fundings = await info({ type: 'fundingHistory', coin: 'BTC', startTime: START_MS - 5 * HOUR_MS })
    expect(shapeOf(fundings.body)).toEqual(shapeOf(recorded('hyperliquid/info_fundingHistory.json')))
    const contexts = await info({ type: 'metaAndAssetCtxs' })
    const [[, [real]]] = recorded('hyperliquid/ws_all_dexs_asset_ctxs.json').data.ctxs
    expect(shapeOf(contexts.body[1][0])).toEqual(shapeOf(real))
  })

  it("Bybit's liquidations", async () => {
    const client = await connectRecording(`${internet.urls.BYBIT_WS}/linear`)
    client.send({ op: 'subscribe', args: COINS.map((coin) => `allLiquidation.${coin}USDT`) })
    await heardOne(client, ({ op }) => op === 'subscribe')
    await internet.advanceTo(market.nowMs() + 120_000)
    const told = client.heard.find(({ topic }) => String(topic).startsWith('allLiquidation.'))
    expect(shapeOf(told)).toEqual(shapeOf(recorded('bybit/ws_all_liquidation.json')[0]))
    client.close()
  })
})

it('refuses as the venues do', async () => {
  expect(await get(`${internet.urls.BYBIT}/v5/market/tickers?category=spot`)).toMatchObject({
    retCode: 10_001,
  })
  expect(await get(`${internet.urls.OKX}/api/v5/public/funding-rate?instId=NO-USDT-SWAP`)).toMatchObject({
    code: '51001',
  })
  expect(await info({ type: 'nothing' })).toMatchObject({ status: 422 })
  expect((await fetch(`${internet.urls.OKX}/api/v5/private`)).status).toBe(404)
})

it('is one world: marks lie near the index, and shares of open interest stay what they are', () => {
  for (const coin of COINS)
    for (const venue of PERPETUAL_VENUES) {
      const found = market.perpetualVenues.at(venue, coin, START_MS)
      expect(Math.abs(found.markPrice / found.indexPrice - 1)).toBeLessThan(2e-3)
      const share = found.openInterest / market.perpetual.openInterest(coin, START_MS)
      expect(share).toBeGreaterThan(0.2)
      expect(share).toBeLessThanOrEqual(1)
      const hours = market.perpetualVenues.intervalMs(venue) / HOUR_MS
      const rate = (market.perpetualVenues.settled(venue, coin, START_MS) * 8) / hours
      expect(Math.abs(rate)).toBeLessThan(3e-3)
    }
})
