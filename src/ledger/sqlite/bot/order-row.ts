import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Coin } from '../../../core/coin.ts'
import type { Direction } from '../../../signals/signal.ts'
import type { BrokerName, FillRow, OrderRow, OrderSide, Origin, PlannedOrder } from '../../ports/bot-book.ts'
import { type Columns, findAmount, findNumber, findText, prepareExact, toAmount } from '../columns.ts'
import { prepareFills } from './fill-row.ts'

/** A query for orders with their fills; `rest` follows the name of the table. */
export function prepareOrders(db: DatabaseSync, rest: string): (...values: SQLInputValue[]) => OrderRow[] {
  const statement = prepareExact(db, `SELECT o.* FROM bot_orders o ${rest}`)
  const fills = prepareFills(db, 'bot_fills')
  return (...values) => statement.all(...values).map((row) => toOrder(row, fills.of(Number(row.seq))))
}

/** Texts are cast where the table's own CHECK, or the only writer's type, allows no other. */
const toOrder = (row: Columns, fills: FillRow[]): OrderRow => ({
  seq: Number(row.seq),
  clientOrderId: String(row.client_order_id),
  broker: String(row.broker) as BrokerName,
  origin: String(row.origin) as Origin,
  by: String(row.made_by),
  coin: String(row.coin) as Coin,
  windowStartS: Number(row.window_start_s),
  conditionId: String(row.condition_id),
  tokenId: String(row.token_id),
  outcome: String(row.outcome) as Direction,
  side: String(row.side) as OrderSide,
  priceE4: Number(row.price_e4),
  tickE4: Number(row.tick_e4),
  spendE6: findAmount(row.spend_e6),
  sharesE6: findAmount(row.shares_e6),
  maxFeeE6: toAmount(row.max_fee_e6),
  fee: row.fee_rate === null ? undefined : { rate: Number(row.fee_rate), exponent: Number(row.fee_exponent) },
  createdMs: Number(row.created_ms),
  state: String(row.state) as OrderRow['state'],
  orderId: findText(row.order_id),
  acceptedMs: findNumber(row.accepted_ms),
  closedMs: findNumber(row.closed_ms),
  note: findText(row.note),
  fills,
})

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
