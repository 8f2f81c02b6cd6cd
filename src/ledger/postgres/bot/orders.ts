import type { BotBook, BotOrders, BrokerName, FillRow, PlannedOrder } from '../../ports/bot-book.ts'
import type { Database, Query } from '../database.ts'
import { insertDecision } from './decisions.ts'
import { fillValues, insertFill } from './fill-rows.ts'
import { inTurn } from './in-turn.ts'
import { createPostgresOrderQueries } from './order-queries.ts'
import { refreshMarket } from './refresh-market.ts'

const FIND = 'SELECT seq, broker, condition_id FROM bot_orders WHERE client_order_id = $1'
const INSERT = `
  INSERT INTO bot_orders (client_order_id, broker, origin, made_by, coin, window_start_s, condition_id, token_id,
    outcome, side, price_e4, tick_e4, spend_e6, shares_e6, max_fee_e6, fee_rate, fee_exponent, created_ms)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`
const IS_USABLE = 'SELECT 1 FROM bot_boss_signals WHERE seq = $1 AND used_ms IS NULL'
const USE = 'UPDATE bot_boss_signals SET used_ms = $2 WHERE seq = $1'
const NAME = 'UPDATE bot_orders SET order_id = $2 WHERE seq = $1 AND order_id IS DISTINCT FROM $2'
const ACCEPT = 'UPDATE bot_orders SET accepted_ms = $2 WHERE seq = $1 AND accepted_ms IS NULL'
const CLOSE =
  "UPDATE bot_orders SET state = 'closed', closed_ms = $2, note = $3 WHERE seq = $1 AND state = 'open'"
/** The newest hash counts until the fill is final, since a transaction may be sent again; then the first one. */
const MOVE_FILL = `
  UPDATE bot_fills SET state = CASE state WHEN 'matched' THEN $3 ELSE state END,
    transaction_hash = CASE state WHEN 'matched' THEN coalesce($4, transaction_hash) ELSE coalesce(transaction_hash, $4) END
  WHERE order_seq = $1 AND trade_id = $2`
const INSERT_FILL = insertFill('bot_fills')

export function createPostgresOrders(database: Database): BotOrders {
  const { query } = database
  /** Changes what belongs to an order, and brings the lists of its market up to date. */
  const change = (clientOrderId: string, write: (query: Query, orderSeq: number) => Promise<unknown>) =>
    inTurn(database, async (ask) => {
      const { seq, broker, conditionId } = await findOrder(ask, clientOrderId)
      await write(ask, seq)
      await refreshMarket(ask, broker, conditionId)
    })
  return {
    ...createPostgresOrderQueries(database),
    planOrder: (order, with_) => inTurn(database, (ask) => plan(ask, order, with_)),
    async nameOrder(clientOrderId, orderId) {
      await query(NAME, [(await findOrder(query, clientOrderId)).seq, orderId])
    },
    async noteAccepted(clientOrderId, acceptedMs) {
      await query(ACCEPT, [(await findOrder(query, clientOrderId)).seq, acceptedMs])
    },
    putFills: (clientOrderId, fills) => change(clientOrderId, (ask, seq) => putFills(ask, seq, fills)),
    closeOrder: (clientOrderId, closedMs, note) =>
      change(clientOrderId, (ask, seq) => ask(CLOSE, [seq, closedMs, note ?? null])),
  }
}

/** The decision is the first that is written: where it is there already, nothing has been. */
async function plan(
  query: Query,
  ...[order, { decision, bossSignal }]: Parameters<BotBook['planOrder']>
): Promise<boolean> {
  if ((await query(FIND, [order.clientOrderId])).count > 0) return false
  if (bossSignal !== undefined && (await query(IS_USABLE, [bossSignal])).count === 0) return false
  if (decision && !(await insertDecision(query, decision))) return false
  if (bossSignal !== undefined) await query(USE, [bossSignal, order.createdMs])
  await query(INSERT, orderValues(order))
  await refreshMarket(query, order.broker, order.conditionId)
  return true
}

async function putFills(query: Query, orderSeq: number, fills: readonly FillRow[]): Promise<void> {
  for (const fill of fills) {
    const { tradeId, state, transactionHash } = fill
    const { count } = await query(MOVE_FILL, [orderSeq, tradeId, state, transactionHash ?? null])
    if (count === 0) await query(INSERT_FILL, fillValues(orderSeq, fill))
  }
}

async function findOrder(query: Query, clientOrderId: string) {
  const [row] = (await query(FIND, [clientOrderId])).rows
  if (!row) throw new Error(`there is no order ${clientOrderId}`)
  // The table's own CHECK allows no other text.
  const broker = String(row.broker) as BrokerName
  return { seq: Number(row.seq), broker, conditionId: String(row.condition_id) }
}

function orderValues({ fee, spendE6, sharesE6, ...order }: PlannedOrder): unknown[] {
  const { clientOrderId, broker, origin, by, coin, windowStartS, conditionId, tokenId } = order
  const { outcome, side, priceE4, tickE4, maxFeeE6, createdMs } = order
  const what = [clientOrderId, broker, origin, by, coin, windowStartS, conditionId, tokenId, outcome, side]
  const amounts = [priceE4, tickE4, spendE6 ?? null, sharesE6 ?? null, maxFeeE6]
  return [...what, ...amounts, fee?.rate ?? null, fee?.exponent ?? null, createdMs]
}
