import type { z } from 'zod'
import type { BriefCoin } from '../../products/briefs/brief-coin.ts'
import type { HotMarket } from '../../products/briefs/hot-markets.ts'
import type { Macro } from '../../products/briefs/macro-part.ts'
import type { Mood } from '../../products/briefs/mood-part.ts'
import type { WhaleBrief } from '../../products/briefs/whale-part.ts'

export const sampleBriefCoin: z.input<typeof BriefCoin> = {
  coin: 'BTC',
  price_usd: 100012.34,
  change_5m_percent: 0.06,
  direction: 'UP',
  confidence: 0.6132,
  probability_up: 0.6132,
  abstain: false,
  regime: 'momentum',
  window_start: 1767614400,
  window_end: 1767614700,
  seconds_remaining: 300,
  change_24h_percent: 1.25,
  volume_24h: 18234.5,
  source: 'coinbase_mid',
  timestamp: '2026-01-05T12:00:00.000Z',
}

export const sampleHotMarket: z.input<typeof HotMarket> = {
  slug: 'bitcoin-above-120k-on-january-31',
  question: 'Bitcoin above 120k on January 31?',
  category: 'crypto',
  odds: [
    { label: 'Yes', token_id: '111', price: 0.23 },
    { label: 'No', token_id: '222', price: 0.77 },
  ],
  price_change_24h: -0.04,
  volume_24h_usd: 1_250_000,
  ends_at: '2026-01-31T17:00:00.000Z',
}

export const sampleMacro: z.input<typeof Macro> = {
  btc_dominance_percent: 58.2,
  total_market_cap_usd: 3_100_000_000_000,
  market_cap_change_24h_percent: 1.2,
  coins: [
    {
      coin: 'BTC',
      funding_rate_8h_percent: 0.0081,
      open_interest_usd: 18_200_000_000,
      open_interest_change_24h_percent: 2.1,
      cascade_risk: { score: 31, level: 'moderate', known_weight: 1 },
    },
  ],
}

export const sampleMood: z.input<typeof Mood> = {
  mood: 'bullish',
  score: 0.3986,
  fear_greed: { value: 69, word: 'Greed' },
  regime: 'trending',
  known_weight: 1,
  missing: [],
  coins: [{ coin: 'BTC', score: 0.3986, label: 'bullish' }],
}

export const sampleWhales: z.input<typeof WhaleBrief> = {
  net_usd: 1_250_000,
  trades: 3,
  net_flow: [
    {
      coin: 'BTC',
      span_minutes: 60,
      own_minutes: { binance: 60, coinbase: 60 },
      buy_usd: 2_000_000,
      sell_usd: 750_000,
      net_usd: 1_250_000,
      trades: 3,
      imbalance: 0.4545,
      z_score: 0.8006,
      lean: null,
    },
  ],
  largest_trades: [
    {
      id: 'coinbase-BTC-81',
      coin: 'BTC',
      exchange: 'Coinbase',
      market: 'spot',
      side: 'buy',
      price_usd: 100_012.34,
      value_usd: 1_200_000,
      at: '2026-01-05T11:58:00.000Z',
      reported_by: 'own',
      delayed: false,
    },
  ],
}
