import { sampleTime } from '../fields.ts'

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

export const sampleCoinMarket = {
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
  market_timestamp: sampleTime,
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
  probability_timestamp: sampleTime,
  probability_age_ms: 80,
  book_timestamp: sampleTime,
  book_age_ms: 120,
  record_id: 'BTC-1767614400',
} as const

export const sampleOpportunity = {
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

export const samplePositions = {
  positions: [
    {
      slug: SLUG,
      title: TITLE,
      condition_id: CONDITION,
      token_id: UP_TOKEN,
      outcome: 'Up',
      shares: 5,
      average_price: 0.54,
      current_price: 0.545,
      cost_usd: 2.7,
      fees_usd: 0.08694,
      current_value_usd: 2.725,
      realized_pnl_usd: 0,
      unrealized_pnl_usd: 0.025,
      redeemable: false,
      ends_on: '2026-01-05',
    },
  ],
  positions_as_of: sampleTime,
}

export const sampleRefreshed = {
  refreshed_at: sampleTime,
  next_refresh_at: '2026-01-05T12:05:00.000Z',
  events_read: 2_150,
}

export const sampleListedMarket = {
  slug: 'bitcoin-above-150k-in-2026',
  question: 'Will Bitcoin be above $150,000 in 2026?',
  condition_id: `0x${'a1'.repeat(32)}`,
  event_slug: 'bitcoin-in-2026',
  event_title: 'Bitcoin in 2026',
  category: 'crypto',
  active: true,
  accepting_orders: true,
  ends_at: '2026-12-31T00:00:00.000Z',
  seconds_remaining: 31060800,
  outcomes: [
    { label: 'Yes', token_id: UP_TOKEN, price: 0.62 },
    { label: 'No', token_id: DOWN_TOKEN, price: 0.38 },
  ],
  best_bid: 0.61,
  best_ask: 0.62,
  last_trade_price: 0.62,
  price_change_24h: 0.04,
  volume_24h_usd: 120500.25,
  volume_usd: 4200000,
  liquidity_usd: 310000,
}

export const sampleMover = {
  slug: sampleListedMarket.slug,
  question: sampleListedMarket.question,
  category: 'crypto',
  price_change_24h: 0.04,
  direction: 'up',
  last_trade_price: 0.62,
  volume_24h_usd: 120500.25,
} as const

export const sampleCategorySummary = {
  category: 'crypto',
  markets: 1,
  volume_24h_usd: 120500.25,
  liquidity_usd: 310000,
  unknown_volume: 0,
  volume_trend: { ratio: 1.4, trend: 'rising' },
} as const

export const sampleTrades = {
  slug: SLUG,
  title: TITLE,
  coin: 'BTC',
  condition_id: CONDITION,
  window_start: 1767614400,
  window_end: 1767614700,
  result: 'win',
  cost_usd: 2.78694,
  collected_usd: 5,
  split_usd: 0,
  merged_usd: 0,
  profit_usd: 2.21306,
  fees_usd: 0.08694,
  fills: 1,
  shares_left: { up: 0, down: 0 },
  first_at: '2026-01-05T12:00:30.000Z',
  last_at: '2026-01-05T12:06:10.000Z',
} as const
