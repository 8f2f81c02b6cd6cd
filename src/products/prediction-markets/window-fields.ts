import { z } from 'zod'
import { COINS } from '../../core/coin.ts'
import { PriceKind, RecordId, WindowEdge } from '../fields.ts'
import { ORACLE_SOURCES } from './price-to-beat.ts'

const Price = z.number().min(0).max(1)
export const Quote = z.object({ price: Price, size_shares: z.number().min(0) })

/** What buying one outcome at once takes and is worth. */
export const Purchase = z.object({
  size_shares: z
    .number()
    .min(0)
    .describe(
      'Shares at the best ask; where that is less than min_order_size, min_order_size over several levels',
    ),
  average_price: Price.describe('Before the fee'),
  price_after_fees: z.number().min(0).describe('Cost of one share with the taker fee'),
  fee_usd: z.number().min(0),
  cost_usd: z.number().min(0).describe('Price of all shares with the taker fee'),
  expected_value_usd: z.number().describe('Probability times shares, less the cost'),
})

export const Outcome = z.object({
  token_id: z.string(),
  price: Price.nullable().describe('Mid of bid and ask; null while one of them is missing'),
  bid: Quote.nullable().describe('Best bid; null while there is none'),
  ask: Quote.nullable().describe('Best ask; null while there is none'),
  last: Price.nullable().describe('Price of the last trade; null where the venue does not say'),
  probability: Price.describe('Ours, of this outcome'),
  edge: z
    .number()
    .nullable()
    .describe(
      'probability less buy.price_after_fees; null where nothing can be bought, edge_reason says why',
    ),
  buy: Purchase.nullable().describe('What the edge is of'),
  edge_reason: z.string().optional().describe('Why edge is null; there only while it is'),
})

export const CoinMarket = z.object({
  coin: z.enum(COINS),
  slug: z.string(),
  condition_id: z.string(),
  question: z.string(),
  window_start: WindowEdge.describe('Epoch second at which the window opened'),
  window_end: WindowEdge.describe('Epoch second at which it closes'),
  seconds_remaining: z.int().min(0),
  accepting_orders: z
    .boolean()
    .nullable()
    .describe('False also once the market is closed; null when the venue was not read for two minutes'),
  tick_size: z.number().positive(),
  min_order_size: z.number().min(0).describe('In shares'),
  fee: z
    .object({ rate: z.number().min(0), exponent: z.number().min(0), taker_only: z.literal(true) })
    .nullable()
    .describe('A taker pays shares × rate × (price × (1 − price)) ^ exponent dollars; null: no fee'),
  resolution: z.object({
    kind: z.enum(['twap_60s', 'spot', 'other']),
    source: z.string(),
    rule: z.string(),
  }),
  volume_usd: z.number().min(0).nullable().describe('Null where unknown or older than two minutes'),
  liquidity_usd: z.number().min(0).nullable().describe('Null where unknown or older than two minutes'),
  market_timestamp: z.iso
    .datetime()
    .describe(
      'When volume, liquidity and accepting_orders were read; every 20 seconds while the window is open',
    ),
  market_age_ms: z.int().min(0).describe('When the reply was made'),
  price_to_beat: z
    .number()
    .positive()
    .nullable()
    .describe('The price at the opening that the close is compared with; null while nobody says it'),
  price_to_beat_source: z
    .enum(['venue', ...ORACLE_SOURCES])
    .nullable()
    .describe(
      'venue: also as the final price of the window before; oracle: heard from the price feed that the market resolves on, before the venue shows it; coinbase_derived: our own average of Coinbase trades, close to it but not it',
    ),
  up: Outcome,
  down: Outcome,
  best_side: z
    .enum(['UP', 'DOWN'])
    .nullable()
    .describe('The side with the larger edge; null where none is above 0'),
  probability_up: Price.describe('Our probability of a close at or above the opening price'),
  abstain: z.boolean().describe('True when our probability is indistinguishable from a coin flip'),
  probability_kind: PriceKind.describe('What our probability compares opening and close on'),
  probability_source: z
    .enum(ORACLE_SOURCES)
    .nullable()
    .describe(
      'Whose 60-second average the probability is measured on; coinbase_derived: our own of Coinbase trades, where no oracle account is configured; null: measured on spot',
    ),
  probability_timestamp: z.iso.datetime(),
  probability_age_ms: z.int().min(0).describe('When the reply was made; at most 10,000'),
  book_timestamp: z.iso.datetime().describe('When the venue last confirmed both books'),
  book_age_ms: z.int().min(0).describe('When the reply was made; at most 10,000'),
  record_id: RecordId.nullable().describe('Entry of this coin and window in the public record'),
  record_reason: z.string().optional().describe('Why record_id is null; there only while it is'),
})
export type CoinMarket = z.input<typeof CoinMarket>
