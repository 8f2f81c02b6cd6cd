import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { predictionServices, windowMarketAt } from '../../testing/products/hand-made-prediction.ts'
import { signalAt, signalsOf } from '../../testing/products/hand-made-signals.ts'
import { openWindows } from './open-window.ts'
import { opportunitiesIn } from './opportunities.ts'
import { toCoinMarket } from './to-coin-market.ts'

/** One world for the examples of all products of the group: a BTC window of which a tenth has passed. */
const UP_TOKEN = '87378234650055540935470495291045092567587444793277575994368171700863579455312'
const DOWN_TOKEN = '84757366440098301426530610616217983251057323529958745541991207115084628755708'
const CONDITION = `0x${'4e'.repeat(32)}`
const SLUG = 'btc-updown-5m-1767614400'
const TITLE = 'Bitcoin Up or Down - January 5, 7:00AM-7:05AM ET'

// 20 shares at 0.55 with the fee 0.07 × 0.55 × 0.45 of each.
const samplePurchase = {
  size_shares: 20,
  average_price: 0.55,
  price_after_fees: 0.567325,
  fee_usd: 0.3465,
  cost_usd: 11.3465,
  expected_value_usd: 0.9175,
}

const sampleCoinMarket = {
  coin: 'BTC',
  slug: SLUG,
  condition_id: CONDITION,
  question: TITLE,
  window_start: 1767614400,
  window_end: 1767614700,
  seconds_remaining: 270,
  accepting_orders: true,
  tick_size: 0.01,
  min_order_size: 5,
  fee: { rate: 0.07, exponent: 1, taker_only: true },
  resolution: {
    kind: 'twap_60s',
    source: 'https://data.chain.link/streams/btc-usd-twap-60s-streams',
    rule: 'UP if the 60-second average price at the end is at or above that at the start',
  },
  volume_usd: 18250.4,
  liquidity_usd: 9120.75,
  market_timestamp: '2026-01-05T12:00:00.000Z',
  market_age_ms: 24300,
  price_to_beat: 100001.5,
  price_to_beat_source: 'oracle',
  up: {
    token_id: UP_TOKEN,
    price: 0.545,
    bid: { price: 0.54, size_shares: 120 },
    ask: { price: 0.55, size_shares: 20 },
    last: 0.55,
    probability: 0.6132,
    edge: 0.045875,
    buy: samplePurchase,
  },
  down: {
    token_id: DOWN_TOKEN,
    price: 0.455,
    bid: { price: 0.45, size_shares: 20 },
    ask: { price: 0.46, size_shares: 120 },
    last: 0.45,
    probability: 0.3868,
    edge: -0.090588,
    buy: {
      size_shares: 120,
      average_price: 0.46,
      price_after_fees: 0.477388,
      fee_usd: 2.08656,
      cost_usd: 57.28656,
      expected_value_usd: -10.87056,
    },
  },
  best_side: 'UP',
  probability_up: 0.6132,
  abstain: false,
  probability_kind: 'twap_60s',
  probability_source: 'oracle',
  probability_timestamp: '2026-01-05T12:00:00.000Z',
  probability_age_ms: 80,
  book_timestamp: '2026-01-05T12:00:00.000Z',
  book_age_ms: 120,
  record_id: 'BTC-1767614400',
} as const

const sampleOpportunity = {
  coin: 'BTC',
  side: 'UP',
  slug: SLUG,
  token_id: UP_TOKEN,
  seconds_remaining: 270,
  probability: 0.6132,
  edge: 0.045875,
  ...samplePurchase,
  abstain: false,
  record_id: 'BTC-1767614400',
} as const

test('a market is shown with what its book costs and what that is worth', () => {
  const clock = createManualClock(sampleCoinMarket.window_start * 1000 + 30_000)
  const services = predictionServices(clock)
  services.signals = signalsOf((coin) => signalAt(coin, clock.now(), 0.6132))
  const market = windowMarketAt('BTC', clock.now(), {
    up: { bids: [[0.54, 120]], asks: [[0.55, 20]] },
    down: { bids: [[0.45, 20]], asks: [[0.46, 120]] },
  })
  services.fiveMinute = { open: () => market, missing: () => '', market: () => undefined }
  const [open] = openWindows(services, ['BTC'])
  const made = open && toCoinMarket(services, open)
  const { edge, buy } = sampleCoinMarket.up
  expect(made).toMatchObject({
    up: { edge, buy, price: sampleCoinMarket.up.price, probability: sampleCoinMarket.up.probability },
    down: { edge: sampleCoinMarket.down.edge, buy: sampleCoinMarket.down.buy, price: 0.455 },
    best_side: sampleCoinMarket.best_side,
    seconds_remaining: sampleCoinMarket.seconds_remaining,
    resolution: sampleCoinMarket.resolution,
  })
  expect(made && Object.keys(made).filter((key) => key !== 'record_reason')).toEqual(
    Object.keys(sampleCoinMarket),
  )
  const { token_id: _, record_id: _id, ...shown } = sampleOpportunity
  expect(made && opportunitiesIn([made])).toMatchObject([shown])
})
