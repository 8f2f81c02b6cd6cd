import { type Columns, toAmount } from '../columns.ts'
import type { FillRow, OrderSide } from '../ports/bot-book.ts'
import type { PaperOrder, PaperPayout } from '../ports/paper-book.ts'

const toToken = (row: Columns) => ({
  conditionId: String(row.condition_id),
  tokenId: String(row.token_id),
})

export const toPaperOrder = (row: Columns, fills: FillRow[]): PaperOrder => ({
  ...toToken(row),
  clientOrderId: String(row.client_order_id),
  orderId: String(row.order_id),
  // The table's own CHECK allows no other text.
  side: String(row.side) as OrderSide,
  atMs: Number(row.at_ms),
  fills,
})

export const toPayout = (row: Columns): PaperPayout => ({
  ...toToken(row),
  sharesE6: toAmount(row.shares_e6),
  amountE6: toAmount(row.amount_e6),
  atMs: Number(row.at_ms),
})

export const toHolding = (row: Columns) => ({ ...toToken(row), sharesE6: toAmount(row.shares_e6) })
