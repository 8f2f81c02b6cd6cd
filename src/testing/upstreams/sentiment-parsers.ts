import type { z } from 'zod'
import { GlobalReply } from '../../upstreams/coingecko/wire.ts'
import { FearGreedReply } from '../../upstreams/fng/wire.ts'
import { parseWire } from '../../upstreams/wire/reply.ts'
import type { Parser } from './mutation-search.ts'

const by =
  (schema: z.ZodType): Parser =>
  (json) =>
    parseWire(schema, json, 'recorded')

/** By file below `fixtures/`. */
export const PARSERS: Readonly<Record<string, Parser>> = {
  'recorded/alternative-me/fng.json': by(FearGreedReply),
  'recorded/coingecko/global.json': by(GlobalReply),
  'from-docs/coingecko/global.json': by(GlobalReply),
}

/** Replies of the same providers that nothing reads, and why. */
export const UNREAD: Readonly<Record<string, string>> = {
  'from-docs/coingecko/coins_markets.json': 'prices and their changes come from our own candles',
  'from-docs/coingecko/simple_price.json': 'prices and their changes come from our own candles',
  'from-docs/coingecko/derivatives.json': 'funding and open interest are read from the venues themselves',
  'from-docs/coingecko/search_trending.json': 'trending tokens are read from pools, not from searches',
}

const AT_S = 1_790_467_200

/** Replies of our own in the shape of recorded ones, named after them. */
export const OWN_PAYLOADS: Readonly<Record<string, unknown>> = {
  'recorded/alternative-me/fng.json': {
    name: 'Fear and Greed Index',
    data: [
      {
        value: '31',
        value_classification: 'Fear',
        timestamp: String(AT_S),
        time_until_update: '41000',
      },
      { value: '47', value_classification: 'Neutral', timestamp: String(AT_S - 86_400) },
      { value: '80', value_classification: 'Extreme Greed', timestamp: String(AT_S - 2 * 86_400) },
    ],
    metadata: { error: null },
  },
  'recorded/coingecko/global.json': {
    data: {
      active_cryptocurrencies: 20_000,
      markets: 1_500,
      total_market_cap: { btc: 31e6, eth: 9e8, usd: 3.1e12 },
      total_volume: { btc: 1e6, eth: 3e7, usd: 1.05e11 },
      market_cap_percentage: { btc: 61.5, eth: 10.25, usdt: 6, xrp: 3.5, sol: 2.5 },
      market_cap_change_percentage_24h_usd: -1.75,
      volume_change_percentage_24h_usd: 12.5,
      updated_at: AT_S + 300,
    },
  },
}
