import { toOrder } from '../../bot-rows/order-rows.ts'
import type { BotOrders, OrderRow } from '../../ports/bot-book.ts'
import type { Database } from '../database.ts'
import { fillsColumn, toFills } from './fill-rows.ts'

type OrderQueries = Pick<
  BotOrders,
  | 'findOrder'
  | 'openOrders'
  | 'unfinishedOrders'
  | 'hasOrdered'
  | 'ordersOf'
  | 'ordersSince'
  | 'unsettledOrders'
>

const selectOrders = (rest: string) => `
  SELECT o.seq, o.client_order_id, o.broker, o.origin, o.made_by, o.coin, o.window_start_s, o.condition_id, o.token_id,
    o.outcome, o.side, o.price_e4, o.tick_e4, o.spend_e6, o.shares_e6, o.max_fee_e6, o.fee_rate, o.fee_exponent,
    o.created_ms, o.state, o.order_id, o.accepted_ms, o.closed_ms, o.note, ${fillsColumn('bot_fills')}
  FROM bot_orders o ${rest}`

const BY_ID = selectOrders('WHERE o.client_order_id = $1')
const OPEN = selectOrders("WHERE o.state = 'open' ORDER BY o.seq")
const UNFINISHED = selectOrders(`WHERE o.seq IN (
    SELECT seq FROM bot_orders WHERE state = 'open' UNION SELECT order_seq FROM bot_fills WHERE state = 'matched'
  ) ORDER BY o.seq`)
const OF_WINDOW = selectOrders('WHERE o.window_start_s = $1 AND o.coin = $2 ORDER BY o.seq')
const SINCE = selectOrders('WHERE o.created_ms >= $1 ORDER BY o.created_ms, o.seq')
/** Every order of a market with one that is unsettled. */
const UNSETTLED = selectOrders(`WHERE (o.broker, o.condition_id) IN (
    SELECT broker, condition_id FROM bot_orders WHERE is_unsettled
  ) ORDER BY o.seq`)
const HAS_ORDERED =
  'SELECT 1 FROM bot_orders WHERE broker = $1 AND condition_id = $2 AND token_id = $3 LIMIT 1'

export function createPostgresOrderQueries({ query }: Database): OrderQueries {
  const list = async (sql: string, ...values: unknown[]): Promise<OrderRow[]> =>
    (await query(sql, values)).rows.map((row) => toOrder(row, toFills(row)))
  return {
    findOrder: async (clientOrderId) => (await list(BY_ID, clientOrderId))[0],
    openOrders: () => list(OPEN),
    unfinishedOrders: () => list(UNFINISHED),
    hasOrdered: async (broker, conditionId, tokenId) =>
      (await query(HAS_ORDERED, [broker, conditionId, tokenId])).count === 1,
    ordersOf: (coin, windowStartS) => list(OF_WINDOW, windowStartS, coin),
    ordersSince: (sinceMs) => list(SINCE, sinceMs),
    unsettledOrders: () => list(UNSETTLED),
  }
}
