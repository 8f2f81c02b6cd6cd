import type { Usd } from '../../../core/money.ts'
import type { Page, Purchased, Sum } from '../../ports/payment-book-queries.ts'
import { findText } from '../columns.ts'
import type { Columns, Query } from '../database.ts'
import { LOST, toSum } from './parts.ts'

const OF_PAYER = `
  SELECT p.id, p.product_id, p.request, p.network, p.asset, p.amount, p.tx, p.settled_at_ms,
    EXISTS (SELECT 1 FROM replies r WHERE r.payment = p.seq) AS has_reply
  FROM payments p WHERE p.payer = $1 AND p.state = 'settled' AND p.seq NOT IN (${LOST})
  ORDER BY p.settled_at_ms DESC, p.seq DESC LIMIT $2 OFFSET $3`
const BOUGHT = 'SELECT sales, revenue FROM sales_payers WHERE payer = $1'
const GONE = `SELECT -count(*) AS sales, -coalesce(sum(atomic), 0) AS revenue FROM payments
  WHERE payer = $1 AND state = 'settled' AND seq IN (${LOST})`

export async function readPurchases(
  query: Query,
  payer: string,
  { limit, offset }: Page,
): Promise<Sum & { rows: readonly Purchased[] }> {
  const [bought, gone] = [await query(BOUGHT, [payer]), await query(GONE, [payer])]
  const [all, less] = [toSum(bought.rows[0] ?? {}), toSum(gone.rows[0] ?? {})]
  const { rows } = await query(OF_PAYER, [payer, limit, offset])
  return {
    count: all.count + less.count,
    revenue: (all.revenue + less.revenue) as Usd,
    rows: rows.map(toPurchased),
  }
}

const toPurchased = (row: Columns): Purchased => ({
  id: String(row.id),
  productId: String(row.product_id),
  request: String(row.request),
  network: String(row.network),
  asset: String(row.asset),
  amount: String(row.amount),
  transaction: findText(row.tx),
  settledAtMs: Number(row.settled_at_ms),
  hasReply: row.has_reply === true,
})
