import { z } from 'zod'
import { COINS } from '../../core/coin.ts'
import type { Venue } from '../../feeds/events.ts'
import { FLOW_SPANS } from '../../intel/whales/exchange-flows.ts'
import { FEWEST_TRADES } from '../../intel/whales/net-flow.ts'
import { WATCHED_TOKENS } from '../../intel/whales/thresholds.ts'
import { CHAINS, TRANSFER_KINDS } from '../../intel/whales/transfer.ts'
import { ETF_COINS } from '../../upstreams/sosovalue/client.ts'

const Dollars = z.number().min(0)
const Signed = z.number()
const Minutes = z.int().min(0)
const Exchange = z
  .string()
  .nullable()
  .describe('From a short public list; null: not on it, also an exchange may be')

export const NetFlowFields = z.object({
  coin: z.enum(COINS),
  span_minutes: Minutes.describe(
    '60, or less soon after a start. The list of others reaches back before our start, see own_minutes',
  ),
  own_minutes: z
    .object({ binance: Minutes, coinbase: Minutes } satisfies Record<Venue, unknown>)
    .describe(
      'How much of the span our own venues were heard; of their other trades only those of CoinLobster’s list count',
    ),
  buy_usd: Dollars,
  sell_usd: Dollars,
  net_usd: Signed.describe('Bought less sold, by the side that took the offer'),
  trades: z.int().min(0),
  imbalance: z.number().min(-1).max(1).nullable().describe('Net over total; null without trades'),
  z_score: Signed.nullable().describe('Net over what it would scatter if every side were drawn by lot'),
  lean: z
    .enum(['buying', 'selling', 'balanced'])
    .nullable()
    .describe(`buying from z_score 2 on, selling from -2; null below ${FEWEST_TRADES} trades`),
})

export const TradeFields = z.object({
  id: z.string(),
  coin: z.enum(COINS),
  exchange: z.string(),
  market: z.enum(['spot', 'futures']),
  side: z.enum(['buy', 'sell']).describe('Of the side that took the offer'),
  price_usd: z.number().positive(),
  value_usd: Dollars,
  at: z.iso.datetime(),
  reported_by: z.enum(['own', 'coinlobster']).describe('own: from the trades that we hear ourselves'),
  delayed: z.boolean().describe('Reported 15 minutes after it happened'),
})

export const TransferFields = z.object({
  hash: z.string(),
  chain: z.enum(CHAINS),
  token: z.enum(WATCHED_TOKENS),
  amount: z.number().min(0),
  value_usd: Dollars,
  from: z.string().nullable().describe('The address that gave most'),
  to: z.string().nullable().describe('The address that got most'),
  from_exchange: Exchange,
  to_exchange: Exchange,
  kind: z.enum(TRANSFER_KINDS),
  confirmed: z.boolean().describe('false: waits for a block; only confirmed ones count for flows'),
  at: z.iso.datetime(),
})

export const ExchangeFlowFields = z.object({
  chain: z.enum(CHAINS),
  token: z.enum(WATCHED_TOKENS),
  span: z.enum(Object.keys(FLOW_SPANS) as (keyof typeof FLOW_SPANS)[]),
  in_usd: Dollars.describe('What the exchanges of our list got'),
  out_usd: Dollars.describe('What they gave'),
  net_usd: Signed.describe('In less out: above 0 money went onto exchanges'),
  transfers: z.int().min(0),
  covered_minutes: Minutes.describe('How much of the span was watched'),
  counted: z.enum(['all', 'large']).describe('large: of Bitcoin only the largest transactions of each block'),
})

export const EtfFields = z.object({
  coin: z.enum(ETF_COINS),
  last_day: z.iso.date().describe('The last day of trading that was reported; days old over weekends'),
  age_hours: z.number().min(0).describe('Since the close of that day'),
  weekdays_missing: z.int().min(0).describe('Due and not reported: holidays, or a source that lags'),
  net_5d_usd: Signed.nullable().describe('Of the last five days reported'),
  streak_days: z.int().describe('Days in a row in the same direction; negative: money left'),
  days: z.array(
    z.object({
      date: z.iso.date(),
      net_inflow_usd: Signed,
      traded_usd: Signed.nullable(),
      assets_usd: Signed.nullable(),
    }),
  ),
})

export const LiquidationFields = z
  .object({
    long_usd: Dollars,
    short_usd: Dollars,
    count: z.int().min(0),
    coins: z
      .array(z.object({ coin: z.enum(COINS), long_usd: Dollars, short_usd: Dollars, count: z.int().min(0) }))
      .describe('Those asked for that are among the eight coins with the most'),
  })
  .nullable()
  .describe('Futures of all coins closed by force in the last 24 hours, over many exchanges')

export const FeeFields = z
  .object({
    next_block: z.number().min(0),
    half_hour: z.number().min(0),
    hour: z.number().min(0),
    minimum: z.number().min(0).nullable(),
  })
  .nullable()
  .describe('Bitcoin fees in satoshi for each virtual byte: how crowded the chain is')
