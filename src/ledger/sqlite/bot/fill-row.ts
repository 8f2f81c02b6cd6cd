import type { DatabaseSync } from 'node:sqlite'
import type { FillRow, FillState } from '../../ports/bot-book.ts'
import { type Columns, findText, prepareExact, toAmount } from '../columns.ts'

/** The fills of an order in the order in which they became known. */
export function prepareFills(
  db: DatabaseSync,
  table: 'bot_fills' | 'paper_fills',
): { of(orderSeq: number): FillRow[]; insert(orderSeq: number, fill: FillRow): void } {
  const select = prepareExact(db, `SELECT * FROM ${table} WHERE order_seq = ? ORDER BY seq`)
  const insert = db.prepare(`
    INSERT INTO ${table} (order_seq, trade_id, state, price_e6, shares_e6, notional_e6, fee_e6, at_ms, transaction_hash)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  `)
  return {
    of: (orderSeq) => select.all(orderSeq).map(toFill),
    insert(orderSeq, fill) {
      const { tradeId, state, priceE6, sharesE6, notionalE6, feeE6, atMs, transactionHash } = fill
      const amounts = [priceE6, sharesE6, notionalE6, feeE6]
      insert.run(orderSeq, tradeId, state, ...amounts, atMs, transactionHash ?? null)
    },
  }
}

const toFill = (row: Columns): FillRow => ({
  tradeId: String(row.trade_id),
  // The table's own CHECK allows no other text.
  state: String(row.state) as FillState,
  priceE6: toAmount(row.price_e6),
  sharesE6: toAmount(row.shares_e6),
  notionalE6: toAmount(row.notional_e6),
  feeE6: toAmount(row.fee_e6),
  atMs: Number(row.at_ms),
  transactionHash: findText(row.transaction_hash),
})
