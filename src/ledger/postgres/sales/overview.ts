import type { Usd } from '../../../core/money.ts'
import type { SalesOverview } from '../../ports/payment-book-queries.ts'
import { foldSales } from '../../totals.ts'
import { findNumber } from '../columns.ts'
import type { Query } from '../database.ts'
import { isOwn, LOST, OWN, toGroup, toSum } from './parts.ts'

/** Of all time, whatever the day. What the wallets of `$1` paid, and what was lost, is there to take away. */
const CUSTOMERS = `
  WITH ${OWN}
  SELECT 0 AS day, product_id, network, sales, revenue FROM sales_kinds
  UNION ALL
  SELECT 0, k.product_id, k.network, -sum(d.sales), -sum(d.revenue)
  FROM sales_payer_days d JOIN sales_kinds k ON k.id = d.kind WHERE d.payer IN (SELECT id FROM own) GROUP BY k.id
  UNION ALL
  SELECT 0, product_id, network, -count(*), -sum(atomic) FROM payments
  WHERE seq IN (${LOST}) AND NOT (${isOwn('payer')}) GROUP BY 2, 3`
const OWN_SUM = `
  WITH ${OWN}, less AS (SELECT count(*) AS sales, coalesce(sum(atomic), 0) AS revenue FROM payments
    WHERE seq IN (${LOST}) AND ${isOwn('payer')})
  SELECT coalesce(sum(y.sales), 0) - less.sales AS sales, coalesce(sum(y.revenue), 0) - less.revenue AS revenue
  FROM less LEFT JOIN sales_payers y ON y.id IN (SELECT id FROM own) GROUP BY less.sales, less.revenue`
/** Those who lost all that they had bought never paid, as it turned out. */
export const PAYERS = `
  SELECT coalesce((SELECT max(id) FROM sales_payers), 0) - (SELECT count(*) FROM own) - (
    SELECT count(*) FROM (SELECT payer, count(*) AS sales FROM payments WHERE seq IN (${LOST}) GROUP BY payer) gone
    JOIN sales_payers y USING (payer) WHERE y.sales = gone.sales AND y.id NOT IN (SELECT id FROM own)) AS payers`
const LAST = 'SELECT max(last_ms) AS last_ms FROM sales_kinds'
const UNSETTLED = `
  SELECT count(*) AS count, min(claimed_at_ms) AS oldest_ms FROM payments
  WHERE state = 'settling' AND state IN ('claimed', 'settling')`

/** Reads a row for each kind of sale, those of the wallets left out, and what is under way. */
export async function readOverview(query: Query, exceptPayers: readonly string[]): Promise<SalesOverview> {
  const groups = (await query(CUSTOMERS, [exceptPayers])).rows.map(toGroup)
  const { count, revenue, perNetwork } = foldSales(groups)
  const [own] = (await query(OWN_SUM, [exceptPayers])).rows.map(toSum)
  const payers = await query(`WITH ${OWN} ${PAYERS}`, [exceptPayers])
  const last = await query(LAST)
  const [unsettled = {}] = (await query(UNSETTLED)).rows
  return {
    customers: { count, revenue },
    payers: Number(payers.rows[0]?.payers),
    perNetwork,
    own: own ?? { count: 0, revenue: 0n as Usd },
    lastSettledMs: findNumber(last.rows[0]?.last_ms),
    unsettled: { count: Number(unsettled.count), oldestMs: findNumber(unsettled.oldest_ms) },
  }
}
