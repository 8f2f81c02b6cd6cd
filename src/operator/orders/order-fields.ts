import { z } from 'zod'
import type { OrderReport } from '../../bot/bot.ts'
import type { FillRow, OrderRow } from '../../ledger/ports/bot-book.ts'
import { fromMillionths } from '../../market/prediction/millionths.ts'
import { isoTime } from '../../products/fields.ts'
import {
  Account,
  CoinName,
  fromE4,
  OptionalTime,
  Price,
  Shares,
  Side,
  toAccount,
  toOptionalAmount,
  toOptionalTime,
  UsdAmount,
  WindowStart,
} from '../fields.ts'

const Fill = z.object({
  trade_id: z.string().min(1),
  state: z
    .enum(['matched', 'confirmed', 'failed'])
    .describe(
      'failed: the chain did not carry it out, nothing moved; matched: the chain has not decided yet',
    ),
  price: Price,
  shares: Shares,
  amount_usd: UsdAmount.describe('Price times shares, without the fee'),
  fee_usd: UsdAmount,
  at: z.iso.datetime(),
  transaction: z.string().min(1).nullable(),
})

/** An order and what it took. Sums leave failed fills out. */
export const Order = z.object({
  ...Account.shape,
  client_order_id: z.string().min(1),
  order_id: z.string().min(1).nullable().describe('Of the venue; null until it is signed'),
  origin: z
    .enum(['round', 'operator', 'boss'])
    .describe('round: the bot by itself; operator: by hand; boss: the bot, forced by a boss signal'),
  by: z.string().min(1),
  coin: CoinName,
  window_start: WindowStart,
  condition_id: z.string().min(1),
  token_id: z.string().min(1),
  outcome: Side.describe('What a share pays for'),
  side: z.enum(['BUY', 'SELL']),
  limit_price: Price,
  size_usd: UsdAmount.nullable().describe('Of a purchase: what it may spend before the fee'),
  size_shares: Shares.nullable().describe('Of a sale'),
  state: z
    .enum(['open', 'closed'])
    .describe('open: its end at the venue is not known yet and is asked for; do not send it again'),
  filled_shares: Shares,
  filled_usd: UsdAmount.describe('Without fees'),
  average_price: Price.nullable(),
  fees_usd: UsdAmount,
  note: z.string().nullable().describe('Why it took nothing, where that is known'),
  created_at: z.iso.datetime(),
  closed_at: OptionalTime,
  fills: z.array(Fill),
})

export const ReportedOrder = z.object({
  ...Order.shape,
  repeat: z.boolean().describe('True: this order was there before this call, which did nothing'),
})

export const toReportedOrder = ({ order, isRepeat }: OrderReport): z.input<typeof ReportedOrder> => ({
  ...toOrder(order),
  repeat: isRepeat,
})

function toOrder(row: OrderRow): z.input<typeof Order> {
  const moved = row.fills.filter(({ state }) => state !== 'failed')
  const shares = sumOf(moved, 'sharesE6')
  const notional = sumOf(moved, 'notionalE6')
  return {
    ...toAccount(row.broker),
    client_order_id: row.clientOrderId,
    order_id: row.orderId ?? null,
    origin: row.origin,
    by: row.by,
    coin: row.coin,
    window_start: row.windowStartS,
    condition_id: row.conditionId,
    token_id: row.tokenId,
    outcome: row.outcome,
    side: row.side,
    limit_price: fromE4(row.priceE4),
    size_usd: toOptionalAmount(row.spendE6),
    size_shares: toOptionalAmount(row.sharesE6),
    state: row.state,
    filled_shares: fromMillionths(shares),
    filled_usd: fromMillionths(notional),
    average_price: shares > 0n ? fromMillionths((notional * MILLION) / shares) : null,
    fees_usd: fromMillionths(sumOf(moved, 'feeE6')),
    note: row.note ?? null,
    created_at: isoTime(row.createdMs),
    closed_at: toOptionalTime(row.closedMs),
    fills: row.fills.map(toFill),
  }
}

/** Floors: for people to read, nothing is computed from it. */
const MILLION = 1_000_000n

const sumOf = (fills: readonly FillRow[], field: 'sharesE6' | 'notionalE6' | 'feeE6'): bigint =>
  fills.reduce((sum, fill) => sum + fill[field], 0n)

const toFill = (fill: FillRow): z.input<typeof Fill> => ({
  trade_id: fill.tradeId,
  state: fill.state,
  price: fromMillionths(fill.priceE6),
  shares: fromMillionths(fill.sharesE6),
  amount_usd: fromMillionths(fill.notionalE6),
  fee_usd: fromMillionths(fill.feeE6),
  at: isoTime(fill.atMs),
  transaction: fill.transactionHash ?? null,
})
