import { LARGE_TRADE_USD, LARGE_TRANSFER_USD } from '../../intel/whales/thresholds.ts'
import { sampleTime } from '../fields.ts'
import { methodLink } from '../method-link.ts'

const part = (source: string) => ({ source, timestamp: sampleTime, status: 'fresh' as const })

/** Made up, in the shape of a reply. */
export const sampleWhales = {
  timestamp: sampleTime,
  source: 'binance_and_coinbase_and_coinlobster',
  net_flow: [
    {
      coin: 'BTC' as const,
      span_minutes: 60,
      own_minutes: { binance: 60, coinbase: 60 },
      buy_usd: 9_400_000,
      sell_usd: 5_150_000,
      net_usd: 4_250_000,
      trades: 31,
      imbalance: 0.2921,
      z_score: 1.41,
      lean: 'balanced' as const,
    },
  ],
  large_trades: [
    {
      id: 'coinbase:BTC:1000000021',
      coin: 'BTC' as const,
      exchange: 'Coinbase',
      market: 'spot' as const,
      side: 'buy' as const,
      price_usd: 100_012.34,
      value_usd: 412_300.5,
      at: sampleTime,
      reported_by: 'own' as const,
      delayed: false,
    },
  ],
  transfers: [
    {
      hash: `0x${'5e'.repeat(32)}`,
      chain: 'base' as const,
      token: 'USDC' as const,
      amount: 2_500_000,
      value_usd: 2_500_000,
      from: `0x${'c1'.repeat(20)}`,
      to: `0x${'d2'.repeat(20)}`,
      from_exchange: null,
      to_exchange: 'Binance',
      kind: 'to_exchange' as const,
      confirmed: true,
      at: sampleTime,
    },
  ],
  exchange_flows: [
    {
      chain: 'base' as const,
      token: 'USDC' as const,
      span: '24h' as const,
      in_usd: 81_500_000,
      out_usd: 76_200_000,
      net_usd: 5_300_000,
      transfers: 9_214,
      covered_minutes: 1_440,
      counted: 'all' as const,
    },
  ],
  etf_flows: [
    {
      coin: 'BTC' as const,
      last_day: '2026-01-02',
      age_hours: 63,
      weekdays_missing: 0,
      net_5d_usd: 310_500_000,
      streak_days: 2,
      days: [
        {
          date: '2026-01-02',
          net_inflow_usd: 120_400_000,
          traded_usd: 2_100_000_000,
          assets_usd: 98_000_000_000,
        },
      ],
    },
  ],
  all_exchange_liquidations_24h: {
    long_usd: 154_000_000,
    short_usd: 50_100_000,
    count: 19_031,
    coins: [{ coin: 'BTC' as const, long_usd: 43_000_000, short_usd: 7_200_000, count: 1_804 }],
  },
  bitcoin_fees: { next_block: 3, half_hour: 2, hour: 1, minimum: 1 },
  thresholds: { trades_usd: LARGE_TRADE_USD, transfers_usd: LARGE_TRANSFER_USD },
  parts: {
    large_trades: part('binance_and_coinbase_and_coinlobster'),
    bitcoin_transfers: part('mempool_space'),
    base_transfers: part('base_node'),
    etf_flows: part('sosovalue'),
    all_exchange_liquidations_24h: part('coinlobster'),
    bitcoin_fees: part('mempool_space'),
  },
  method: methodLink('whales'),
}
