import { z } from 'zod'
import { COINS } from '../../core/coin.ts'
import type { Level } from '../../core/level.ts'
import { secondsRemaining } from '../../core/time/window.ts'
import { bestSideOf, type Edge, edgesOf, type Side } from '../../market/prediction/edge.ts'
import { fromMillionths } from '../../market/prediction/millionths.ts'
import type { FiveMinuteMarket } from '../../upstreams/polymarket/five-minute-market.ts'
import type { TokenBook } from '../../upstreams/polymarket/token-book.ts'
import { isoTime, PriceKind } from '../fields.ts'
import { toVerdict } from '../signals/fields.ts'
import type { OpenWindow } from './open-window.ts'
import type { PredictionServices } from './services.ts'
import { roundMicro, shownPrice, shownUsd } from './shown-number.ts'
import { shownText } from './shown-text.ts'

export const QUESTION_CHARS = 200
const SOURCE_CHARS = 200

const Price = z.number().min(0).max(1)
const Quote = z.object({ price: Price, size_shares: z.number().min(0) })

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

const Outcome = z.object({
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
  window_start: z.int().describe('Epoch second at which the window opened'),
  window_end: z.int().describe('Epoch second at which it closes'),
  seconds_remaining: z.int().min(0),
  accepting_orders: z.boolean(),
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
  price_to_beat: z.number().positive().nullable().describe('Null while the venue does not say'),
  volume_usd: z.number().min(0).nullable(),
  liquidity_usd: z.number().min(0).nullable(),
  up: Outcome,
  down: Outcome,
  best_side: z
    .enum(['UP', 'DOWN'])
    .nullable()
    .describe('The side with the larger edge; null where none is above 0'),
  probability_up: Price.describe('Our probability of a close at or above the opening price'),
  abstain: z.boolean().describe('True when our probability is indistinguishable from a coin flip'),
  probability_kind: PriceKind.describe('What our probability compares opening and close on'),
  probability_timestamp: z.iso.datetime(),
  probability_age_ms: z.int().min(0).describe('When the reply was made; at most 10,000'),
  book_timestamp: z.iso.datetime().describe('When the venue last confirmed both books'),
  book_age_ms: z.int().min(0).describe('When the reply was made; at most 10,000'),
  record_id: z.string().nullable().describe('Entry of this coin and window in the public record'),
  record_reason: z.string().optional().describe('Why record_id is null; there only while it is'),
})
export type CoinMarket = z.input<typeof CoinMarket>

export function toCoinMarket(services: PredictionServices, open: OpenWindow): CoinMarket {
  const { coin, nowMs, book, signal } = open
  const { market } = book
  const { probability_up, abstain } = toVerdict(signal)
  const noEdge = whyNoEdge(open)
  const edges = noEdge
    ? { UP: undefined, DOWN: undefined }
    : edgesOf(probability_up, { up: book.up.asks, down: book.down.asks }, termsOf(market))
  const outcome = (side: Side, of: TokenBook) =>
    toOutcome(of, probabilityOf(side, probability_up), edges[side], noEdge)
  return {
    coin,
    ...toMarketFields(market, nowMs),
    up: outcome('UP', book.up),
    down: outcome('DOWN', book.down),
    best_side: bestSideOf(edges) ?? null,
    probability_up,
    abstain,
    probability_kind: signal.priceKind,
    probability_timestamp: isoTime(signal.asOfMs),
    probability_age_ms: ageOf(nowMs, signal.asOfMs),
    book_timestamp: isoTime(book.asOfMs),
    book_age_ms: ageOf(nowMs, book.asOfMs),
    ...toRecordId(services, open),
  }
}

export const ageOf = (nowMs: number, asOfMs: number): number => Math.max(0, Math.round(nowMs - asOfMs))

const probabilityOf = (side: Side, up: number) => (side === 'UP' ? up : roundMicro(1 - up))
const termsOf = ({ minOrderSize, fee }: FiveMinuteMarket) => ({ minShares: minOrderSize, fee })

/** An edge is between a price and the probability of the same thing. */
function whyNoEdge({ book: { market }, signal }: OpenWindow): string | undefined {
  if (!market.acceptingOrders || market.closed) return 'the venue takes no orders'
  if (market.resolution.kind !== signal.priceKind)
    return `the market resolves on ${market.resolution.kind}, our probability is of ${signal.priceKind}`
  return undefined
}

function toMarketFields(market: FiveMinuteMarket, nowMs: number) {
  const { window, resolution, fee, priceToBeat } = market
  return {
    slug: market.slug,
    condition_id: market.conditionId,
    question: shownText(market.question, QUESTION_CHARS),
    window_start: window.startS,
    window_end: window.endS,
    seconds_remaining: secondsRemaining(window, nowMs),
    accepting_orders: market.acceptingOrders && !market.closed,
    tick_size: market.tickSize,
    min_order_size: market.minOrderSize,
    fee: fee ? { ...fee, taker_only: true as const } : null,
    resolution: {
      kind: resolution.kind,
      source: shownText(resolution.source, SOURCE_CHARS),
      rule: RULES[resolution.kind],
    },
    price_to_beat:
      priceToBeat !== undefined && priceToBeat > 0 && Number.isFinite(priceToBeat) ? priceToBeat : null,
    volume_usd: shownUsd(market.volumeUsd),
    liquidity_usd: shownUsd(market.liquidityUsd),
  }
}

export const RULES: Record<FiveMinuteMarket['resolution']['kind'], string> = {
  twap_60s: 'UP if the 60-second average price at the end is at or above that at the start',
  spot: 'UP if the price at the end is at or above that at the start',
  other: 'Another rule, which the source states',
}

function toOutcome(
  book: TokenBook,
  probability: number,
  edge: Edge | undefined,
  noEdge: string | undefined,
): z.input<typeof Outcome> {
  const [bid, ask] = [toQuote(book.bids[0]), toQuote(book.asks[0])]
  return {
    token_id: book.tokenId,
    price: bid && ask ? roundMicro((bid.price + ask.price) / 2) : null,
    bid,
    ask,
    last: shownPrice(book.lastTradePrice),
    probability,
    edge: edge ? fromMillionths(edge.edge) : null,
    buy: edge ? toPurchase(edge) : null,
    ...(!edge && { edge_reason: noEdge ?? 'too little is for sale' }),
  }
}

function toQuote(level: Level | undefined): z.input<typeof Quote> | null {
  if (!level) return null
  const [price, size] = [shownPrice(level[0]), roundMicro(level[1])]
  return price !== null && size >= 0 && Number.isFinite(size) ? { price, size_shares: size } : null
}

export function toPurchase({ purchase, price, expectedValue }: Edge): z.input<typeof Purchase> {
  const { shares, notional, fee, cost } = purchase
  return {
    size_shares: fromMillionths(shares),
    average_price: fromMillionths((notional * 1_000_000n) / shares),
    price_after_fees: fromMillionths(price),
    fee_usd: fromMillionths(fee),
    cost_usd: fromMillionths(cost),
    expected_value_usd: fromMillionths(expectedValue),
  }
}

function toRecordId({ record }: PredictionServices, { coin, signal }: OpenWindow) {
  const entry = record?.entryFor(coin, signal.windowStartS)
  if (entry) return { record_id: entry.recordId }
  const record_reason = record ? record.whyNoEntry(coin, signal.windowStartS) : 'no record is kept here'
  return { record_id: null, record_reason }
}
