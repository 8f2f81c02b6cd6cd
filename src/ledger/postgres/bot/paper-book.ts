import { toHolding, toPaperOrder, toPayout } from '../../bot-rows/paper-rows.ts'
import { toAmount } from '../../columns.ts'
import type { PaperBook, PaperOrder } from '../../ports/paper-book.ts'
import type { Database, Query } from '../database.ts'
import { fillsColumn, fillValues, insertFill, toFills } from './fill-rows.ts'

const INSERT = `
  INSERT INTO paper_orders (client_order_id, order_id, condition_id, token_id, side, at_ms)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (client_order_id) DO NOTHING RETURNING seq`
const INSERT_FILL = insertFill('paper_fills')
const ORDERS = `
  SELECT o.client_order_id, o.order_id, o.condition_id, o.token_id, o.side, o.at_ms, ${fillsColumn('paper_fills')}
  FROM paper_orders o`
const BY_ID = `${ORDERS} WHERE o.client_order_id = $1`
const SINCE = `${ORDERS} WHERE o.at_ms >= $1 ORDER BY o.at_ms, o.seq`
const PAYOUT = 'condition_id, token_id, shares_e6, amount_e6, at_ms'
const PAY = `
  INSERT INTO paper_payouts (${PAYOUT}) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (token_id) DO NOTHING`
const PAYOUTS = `SELECT ${PAYOUT} FROM paper_payouts ORDER BY seq`
const CASH = 'SELECT flow_e6 FROM paper_cash'
const HELD =
  'SELECT condition_id, token_id, shares_e6 FROM paper_holdings WHERE shares_e6 > 0 ORDER BY token_id'

export function createPostgresPaperBook({ query, transaction }: Database): PaperBook {
  const list = async (sql: string, value: unknown): Promise<PaperOrder[]> =>
    (await query(sql, [value])).rows.map((row) => toPaperOrder(row, toFills(row)))
  return {
    add: (order) => transaction((statements) => add(statements.query, order)),
    find: async (clientOrderId) => (await list(BY_ID, clientOrderId))[0],
    pay: async ({ conditionId, tokenId, sharesE6, amountE6, atMs }) =>
      (await query(PAY, [conditionId, tokenId, sharesE6, amountE6, atMs])).count === 1,
    payouts: async () => (await query(PAYOUTS)).rows.map(toPayout),
    cashFlowE6: async () => toAmount((await query(CASH)).rows[0]?.flow_e6),
    holdings: async () => (await query(HELD)).rows.map(toHolding),
    ordersSince: (sinceMs) => list(SINCE, sinceMs),
  }
}

async function add(query: Query, order: PaperOrder): Promise<boolean> {
  const { clientOrderId, orderId, conditionId, tokenId, side, atMs, fills } = order
  const [row] = (await query(INSERT, [clientOrderId, orderId, conditionId, tokenId, side, atMs])).rows
  if (!row) return false
  for (const fill of fills) await query(INSERT_FILL, fillValues(Number(row.seq), fill))
  return true
}
