import type { DatabaseSync } from 'node:sqlite'
import { toFill } from '../../bot-rows/order-rows.ts'
import type { FillRow } from '../../ports/bot-book.ts'
import { prepareExact } from '../columns.ts'

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
