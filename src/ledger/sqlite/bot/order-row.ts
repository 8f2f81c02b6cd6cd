import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { toOrder } from '../../bot-rows/order-rows.ts'
import type { OrderRow, PlannedOrder } from '../../ports/bot-book.ts'
import { prepareExact } from '../columns.ts'
import { prepareFills } from './fill-row.ts'

/** A query for orders with their fills; `rest` follows the name of the table. */
export function prepareOrders(db: DatabaseSync, rest: string): (...values: SQLInputValue[]) => OrderRow[] {
  const statement = prepareExact(db, `SELECT o.* FROM bot_orders o ${rest}`)
  const fills = prepareFills(db, 'bot_fills')
  return (...values) => statement.all(...values).map((row) => toOrder(row, fills.of(Number(row.seq))))
}

export function prepareOrderInsert(db: DatabaseSync): (order: PlannedOrder) => void {
  const insert = db.prepare(`
    INSERT INTO bot_orders (client_order_id, broker, origin, made_by, coin, window_start_s, condition_id, token_id,
      outcome, side, price_e4, tick_e4, spend_e6, shares_e6, max_fee_e6, fee_rate, fee_exponent, created_ms)
    VALUES (:clientOrderId, :broker, :origin, :by, :coin, :windowStartS, :conditionId, :tokenId,
      :outcome, :side, :priceE4, :tickE4, :spendE6, :sharesE6, :maxFeeE6, :rate, :exponent, :createdMs)
  `)
  return ({ fee, spendE6, sharesE6, ...order }) => {
    const { clientOrderId, broker, origin, by, coin, windowStartS, conditionId, tokenId } = order
    const { outcome, side, priceE4, tickE4, maxFeeE6, createdMs } = order
    insert.run({
      ...{ clientOrderId, broker, origin, by, coin, windowStartS, conditionId, tokenId },
      ...{ outcome, side, priceE4, tickE4, maxFeeE6, createdMs },
      ...{ spendE6: spendE6 ?? null, sharesE6: sharesE6 ?? null },
      ...{ rate: fee?.rate ?? null, exponent: fee?.exponent ?? null },
    })
  }
}
