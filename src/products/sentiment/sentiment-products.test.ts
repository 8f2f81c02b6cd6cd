import { describe, expect, it, test } from 'vitest'
import { createCatalog } from '../../catalog/catalog.ts'
import type { ProductOf } from '../../catalog/endpoints/endpoint.ts'
import type { Coin } from '../../core/coin.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import type { SentimentPorts } from '../../intel/sentiment/sentiment.ts'
import {
  derivativesOf,
  freshPart,
  missingPart,
  sentimentPorts,
  sentimentServices,
} from '../../testing/products/hand-made-sentiment.ts'
import { compositeSentiment } from './composite.ts'
import { cryptoSentiment } from './crypto-sentiment.ts'
import { sentimentGroup } from './group.ts'
import { marketMood } from './market-mood.ts'
import { sentiment } from './sentiment.ts'
import type { SentimentServices } from './services.ts'

const NOW_MS = Date.UTC(2026, 8, 1, 6, 1)
const NOW = '2026-09-01T06:01:00.000Z'
const clock = createManualClock(NOW_MS)
const ports = sentimentPorts(clock)
const none = () => missingPart('made up')

type Product = ProductOf<SentimentServices>
type Shown = { coins: { coin: string; score: number; parts: { name: string }[] }[] } & Record<string, unknown>
async function ask(product: Product, replaced: Partial<SentimentPorts> = {}, params: object = {}, more = {}) {
  const services = { ...sentimentServices(clock, replaced), ...more }
  return product.response.parse(await product.handle(services, product.params.parse(params))) as Shown
}
const noMomentumOf = (coin: Coin) => ({
  momentum: (each: Coin) => (each === coin ? none() : ports.momentum(each)),
})
const DERIVATIVES = { derivatives: derivativesOf(() => undefined, clock) }

describe('/sentiment', () => {
  it('gives one score per coin with its three parts', async () => {
    const reply = await ask(sentiment)
    expect(reply).toMatchObject({
      timestamp: NOW,
      source: 'sandbox:sentiment_index',
      method: '/methodology/sentiment#the-score-of-sentiment',
      fear_greed: {
        value: 70,
        word: 'Greed',
        day_ago: 64,
        month_ago: null,
        source: 'sandbox:alternative.me',
      },
      count: 4,
    })
    // 50 + 50 × (0.3 × 0.4 + 0.4 × 0.5 + 0.3 × 0.375)
    expect(reply.coins[0]).toMatchObject({
      coin: 'BTC',
      score: 71.6,
      label: 'bullish',
      change_percent: { '1h': 0.75, '4h': null, '24h': null },
    })
    expect(reply.coins[0]?.parts.map(({ name }) => name)).toEqual(['fear_greed', 'momentum', 'whale_flow'])
    expect(reply.coins.map(({ coin }) => coin)).toEqual(['BTC', 'ETH', 'SOL', 'XRP'])
  })

  it('does without fear and greed, and says so', async () => {
    const reply = await ask(sentiment, { fearGreed: none })
    expect(reply.fear_greed).toMatchObject({
      value: null,
      status: 'missing',
      reason: 'made up',
      timestamp: null,
    })
    expect(reply.coins[0]?.parts).toMatchObject([
      { name: 'fear_greed', score: null, reading: null, weight: 0.3, weight_used: 0, status: 'missing' },
      { name: 'momentum', weight: 0.4, weight_used: 0.5714 },
      { name: 'whale_flow', weight_used: 0.4286 },
    ])
  })

  it('is 503 below half of the weight or without momentum, and names the coins that can be had', async () => {
    const whales = { flow: none, version: () => 1 }
    await expect(ask(sentiment, { fearGreed: none, whales })).rejects.toMatchObject({
      code: 'upstream_unavailable',
      hint: 'none of the four coins can be asked for now; nothing was charged',
    })
    await expect(ask(sentiment, noMomentumOf('SOL'))).rejects.toMatchObject({
      message: 'no SOL sentiment: momentum is missing: made up',
      hint: 'BTC, ETH and XRP can be asked for now; nothing was charged',
    })
    const narrowed = await ask(sentiment, noMomentumOf('SOL'), { coins: 'xrp, btc' })
    expect(narrowed.coins.map(({ coin }) => coin)).toEqual(['BTC', 'XRP'])
  })

  it('has the time of its oldest momentum', async () => {
    const older = freshPart('binance_candles', ports.momentum('BTC').value, NOW_MS - 60_000)
    const momentum = (coin: Coin) => (coin === 'XRP' ? (older as never) : ports.momentum(coin))
    expect(await ask(sentiment, { momentum })).toMatchObject({ timestamp: '2026-09-01T06:00:00.000Z' })
  })
})

describe('/sentiment/composite', () => {
  it('shows six parts, their weights, and what is one-sided', async () => {
    const crowded = derivativesOf(() => ({ funding8h: 0.0006, openInterestUsd: 1 }), clock)
    const reply = await ask(compositeSentiment, { derivatives: crowded })
    expect(reply.coins[0]).toMatchObject({
      known_weight: 1,
      missing: [],
      extremes: ['crowded_longs'],
      parts: [
        { name: 'fear_greed', reading: 70 },
        { name: 'momentum' },
        { name: 'whale_flow', reading: 0.5 },
        { name: 'funding', reading: 0.06, source: 'sandbox:binance+bybit+okx+hyperliquid' },
        { name: 'prediction_market', reading: 0.65 },
        { name: 'signal', reading: 0.6, weight: 0.05 },
      ],
    })
  })

  it('lists what is missing', async () => {
    const replaced = { ...DERIVATIVES, fiveMinute: { open: () => undefined } }
    const reply = await ask(compositeSentiment, replaced)
    expect(reply.coins[0]).toMatchObject({ known_weight: 0.8, missing: ['funding', 'prediction_market'] })
  })
})

describe('/crypto-sentiment', () => {
  it('adds what the futures say', async () => {
    const reply = await ask(cryptoSentiment)
    expect(reply.coins[3]).toMatchObject({
      coin: 'XRP',
      funding: {
        funding_rate_8h_percent: 0.04,
        funding_rate_annual_percent: 43.8,
        open_interest_usd: 4e9,
        venues: ['binance', 'bybit', 'okx', 'hyperliquid'],
      },
      liquidations_1h: { long_usd: 200_000, short_usd: 100_000, count: 7, source: 'sandbox:bybit' },
      cascade_risk: {
        ...{ score: 57.7, level: 'high', known_weight: 0.65, status: 'fresh' },
        method: '/methodology/derivatives#liquidation-cascade-risk',
      },
      regime: { name: 'neutral', source: 'sandbox:signal_engine' },
    })
  })

  it('is 503 without funding, and does without liquidations, risk and regime', async () => {
    await expect(ask(cryptoSentiment, DERIVATIVES)).rejects.toMatchObject({
      code: 'upstream_unavailable',
      message: 'no BTC funding and open interest: of no venue: made up',
    })
    const signals = { signal: () => undefined }
    const silent = { derivatives: { liquidations: none }, cascadeRisk: none }
    const reply = await ask(cryptoSentiment, { signals }, {}, silent)
    expect(reply.coins[0]).toMatchObject({
      liquidations_1h: { long_usd: null, count: null, status: 'missing' },
      cascade_risk: { score: null, level: null, known_weight: null, reason: 'made up' },
      regime: { name: null, status: 'missing' },
    })
  })

  it('has the time of its oldest funding', async () => {
    const { perpetual, ...derivatives } = ports.derivatives
    const older = (part: ReturnType<typeof perpetual>) =>
      part.status === 'missing' ? part : { ...part, asOfMs: NOW_MS - 120_000 }
    const replaced = {
      derivatives: {
        ...derivatives,
        perpetual: (...of: Parameters<typeof perpetual>) => older(perpetual(...of)),
      },
    }
    expect(await ask(cryptoSentiment, replaced)).toMatchObject({ timestamp: '2026-09-01T05:59:00.000Z' })
  })
})

describe('/market-mood', () => {
  it('tells the mood in figures and in words', async () => {
    const reply = await ask(marketMood)
    expect(reply).toMatchObject({
      summary:
        'Fear and greed stands at 70 (greed), 6 higher than yesterday. BTC, ETH, SOL and XRP lean bullish. The usual regime of the last hour is neutral. BTC is 58.3 % of the whole market, which lost 1.3 % in a day.',
      mood: 'bullish',
      regime: 'neutral',
      whole_market: { btc_dominance_percent: 58.25, eth_dominance_percent: 11.5, status: 'fresh' },
    })
    expect(reply.score).toBeCloseTo(reply.coins[0]?.score ?? Number.NaN, 12)
  })

  it('does without the whole market and the regime, and not without fear and greed', async () => {
    const reply = await ask(marketMood, { wholeMarket: none, signals: { signal: () => undefined } })
    expect(reply).toMatchObject({
      regime: null,
      whole_market: { total_market_cap_usd: null, btc_dominance_percent: null, status: 'missing' },
    })
    expect(reply.summary).not.toContain('regime')
    await expect(ask(marketMood, { fearGreed: none })).rejects.toMatchObject({ code: 'upstream_unavailable' })
    await expect(ask(marketMood, noMomentumOf('ETH'))).rejects.toMatchObject({ code: 'upstream_unavailable' })
  })
})

test('the catalog takes them, two of them as tools', () => {
  const { products: taken } = createCatalog([sentimentGroup])
  expect(taken.map(({ path, tool }) => [path, tool])).toEqual([
    ['/sentiment', 'get_sentiment'],
    ['/sentiment/composite', undefined],
    ['/crypto-sentiment', undefined],
    ['/market-mood', 'get_market_mood'],
  ])
})

const products = sentimentGroup.endpoints.filter((each) => each.kind === 'product')
describe.each(products.map((product) => [product.path, product] as const))('%s', (_, product) => {
  test('has an example that its own shape keeps, and knows its coins', () => {
    expect(product.response.parse(product.example)).toEqual(product.example)
    expect(product.params.safeParse({ coins: 'doge' }).success).toBe(product.path === '/market-mood')
  })

  test('makes replies with the keys of its example', async () => {
    const reply = await ask(product)
    const example = product.example as Shown
    expect(Object.keys(reply)).toEqual(Object.keys(example))
    expect(Object.keys(reply.coins[0] ?? {})).toEqual(Object.keys(example.coins[0] ?? {}))
  })

  test('is kept until something changes', () => {
    const services = sentimentServices(clock)
    expect(product.changes?.(services, {})).toEqual(product.changes?.(services, {}))
  })
})
