import { toFill } from '../../bot-rows/order-rows.ts'
import type { FillRow } from '../../ports/bot-book.ts'
import type { Columns } from '../database.ts'

type FillTable = 'bot_fills' | 'paper_fills'

/**
 * A column with the fills of the order `o`, in the order in which they became known. They come with the order, so that
 * both are of one moment; amounts as text, since JSON would round them.
 */
export const fillsColumn = (table: FillTable) => `(
  SELECT coalesce(json_agg(json_build_object('trade_id', f.trade_id, 'state', f.state, 'price_e6', f.price_e6::text,
    'shares_e6', f.shares_e6::text, 'notional_e6', f.notional_e6::text, 'fee_e6', f.fee_e6::text, 'at_ms', f.at_ms,
    'transaction_hash', f.transaction_hash) ORDER BY f.seq), '[]')
  FROM ${table} f WHERE f.order_seq = o.seq) AS fills`

export const toFills = (row: Columns): FillRow[] => (row.fills as Columns[]).map(toFill)

export const insertFill = (table: FillTable) => `
  INSERT INTO ${table} (order_seq, trade_id, state, price_e6, shares_e6, notional_e6, fee_e6, at_ms, transaction_hash)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`

export function fillValues(orderSeq: number, fill: FillRow): unknown[] {
  const { tradeId, state, priceE6, sharesE6, notionalE6, feeE6, atMs, transactionHash } = fill
  return [orderSeq, tradeId, state, priceE6, sharesE6, notionalE6, feeE6, atMs, transactionHash ?? null]
}
