import { afterAll, beforeAll, expect, it } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { DAY_MS, MINUTE_MS } from '../../core/time/time.ts'
import { type Internet, startInternet } from '../../sandbox/internet.ts'
import { createSimulatedMarket, type SimulatedMarket } from '../../sandbox/market/simulated-market.ts'
import { sentimentPorts } from '../../testing/products/hand-made-sentiment.ts'
import { createHosts } from '../upstream-hosts.ts'
import { openSentiment } from './sentiment.ts'

const START_MS = Date.UTC(2026, 4, 6, 12, 0, 30)
let market: SimulatedMarket
let internet: Internet
beforeAll(async () => {
  const cadence = { bookEveryMs: 1000, tradesPerSecond: 0.1 }
  market = createSimulatedMarket({ seed: 'open-sentiment', startMs: START_MS, cadence })
  internet = await startInternet({ market, clock: createManualClock(START_MS) })
})
afterAll(() => internet.close())

async function open() {
  const clock = createManualClock(START_MS)
  const hosts = createHosts({ clock, log: silentLog, random: () => 0.5 })
  const opened = openSentiment({
    ...sentimentPorts(clock),
    hosts,
    clock,
    upstreams: internet.urls,
    market: { candles: (venue, coin, count) => candlesOf(venue, coin, count) },
    coinGeckoKey: 'made-up',
    random: () => 0.5,
  })
  await opened.start()
  return { ...opened, close: () => [opened.stop(), hosts.close()] }
}

/** The candles that the venue would hand to the real market. */
function candlesOf(venue: 'binance' | 'coinbase', coin: 'BTC' | 'ETH' | 'SOL' | 'XRP', count: number) {
  const newestMs = Math.floor(START_MS / MINUTE_MS) * MINUTE_MS
  return Array.from({ length: count }, (_, i) => {
    const openMs = newestMs - (count - 1 - i) * MINUTE_MS
    const close = Math.exp(market.latent.logPrice(venue, coin, openMs))
    const prices = { open: close, high: close, low: close, close }
    const flags = { complete: true, isFinal: true, isLost: false }
    return { openMs, ...prices, volume: 1, takerBuyVolume: 1, trades: 1, ...flags }
  })
}

it('reads the simulated index and market, and makes a score of every coin of them', async () => {
  const { sentiment, close } = await open()
  expect(sentiment.fearGreed()).toMatchObject({
    status: 'fresh',
    asOfMs: Math.floor(START_MS / DAY_MS) * DAY_MS,
    value: { dayAgo: expect.any(Number), weekAgo: expect.any(Number), monthAgo: expect.any(Number) },
  })
  expect(sentiment.wholeMarket()).toMatchObject({ status: 'fresh', asOfMs: START_MS - 30_000 })
  expect(sentiment.wholeMarket().value?.dominance.BTC).toBeGreaterThan(30)
  for (const coin of ['BTC', 'ETH', 'SOL', 'XRP'] as const) {
    const { score, weightKnown } = sentiment.composite(coin)
    expect(weightKnown).toBeCloseTo(1, 12)
    expect(Math.abs(score ?? 2)).toBeLessThanOrEqual(1)
    expect(sentiment.momentum(coin).value?.spans).toHaveLength(3)
  }
  close()
})

it('starts while a provider sends what cannot be read, and says what is missing', async () => {
  internet.outages.set('fng', 'rest', { kind: 'html' })
  const { sentiment, close } = await open()
  internet.outages.set('fng', 'rest')
  expect(sentiment.fearGreed().status).toBe('missing')
  expect(sentiment.composite('BTC')).toMatchObject({ weightKnown: expect.closeTo(0.8, 9) })
  close()
})
