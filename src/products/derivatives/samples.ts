import type { z } from 'zod'
import { sampleTime } from '../fields.ts'
import { methodLink } from '../method-link.ts'
import { sampleCascade } from './cascade-fields.ts'
import type { CoinIntel } from './coin-fields.ts'

const told = { timestamp: sampleTime, status: 'fresh' as const }
const heard = { ...told, source: 'binance_futures+bybit+okx', coverage: { binance: 1, bybit: 1, okx: 0.998 } }

export const sampleCoinIntel: z.input<typeof CoinIntel> = {
  coin: 'BTC',
  open_interest_usd: 13_100_000_000,
  open_interest_change_24h_percent: 3.21,
  volume_24h_usd: 24_800_000_000,
  funding_rate_8h_percent: 0.011347,
  funding_rate_annual_percent: 12.425,
  venues: [
    {
      venue: 'binance',
      funding_rate_8h_percent: 0.01,
      funding_interval_hours: 8,
      next_funding_at: '2026-01-05T16:00:00.000Z',
      mark_price_usd: 100_012.3,
      open_interest_usd: 9_100_000_000,
      open_interest_change_24h_percent: 2.9,
      volume_24h_usd: 18_300_000_000,
      source: 'binance_futures',
      ...told,
    },
    {
      venue: 'hyperliquid',
      funding_rate_8h_percent: 0.0144,
      funding_interval_hours: 1,
      next_funding_at: '2026-01-05T13:00:00.000Z',
      mark_price_usd: 100_015,
      open_interest_usd: 4_000_000_000,
      open_interest_change_24h_percent: 3.9,
      volume_24h_usd: 6_500_000_000,
      source: 'hyperliquid',
      ...told,
    },
  ],
  funding_divergence: {
    mean_rate_8h_percent: 0.011347,
    spread_8h_percent: 0.0044,
    highest: 'hyperliquid',
    lowest: 'binance',
    deviations: [
      { venue: 'binance', deviation_8h_percent: -0.0044 },
      { venue: 'hyperliquid', deviation_8h_percent: 0.0044 },
    ],
    score: 0.83,
    past_median_8h_percent: 0.0021,
    past_mad_8h_percent: 0.001869,
    past_spans: 21,
    level: 'normal',
    method: methodLink('derivatives', 'funding-divergence'),
  },
  liquidations_1h: {
    span_minutes: 59,
    long_usd: 1_204_331.5,
    short_usd: 310_220.1,
    count: 84,
    ...heard,
  },
  liquidations_24h: {
    span_minutes: 1_439,
    long_usd: 41_730_000,
    short_usd: 28_110_000,
    count: 2_316,
    ...heard,
  },
  cascade_risk: sampleCascade,
}
