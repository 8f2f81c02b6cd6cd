import { DAY_MS } from '../../../core/time/time.ts'
import {
  PAYERS_LISTED,
  type PayerSum,
  type PaymentTotals,
  type TotalsQuery,
} from '../../ports/payment-book-queries.ts'
import { foldSales } from '../../totals.ts'
import type { Columns, Query } from '../database.ts'
import { PAYERS } from './overview.ts'
import { isOwn, LOST, OWN, toGroup, toSum } from './parts.ts'
import { SETTLED_DAY } from './sales-tables.ts'

/** Rows from the moment asked for to the end of its day; every later day is read from its sums. */
const FIRST_DAY = `payments p
  WHERE p.state = 'settled' AND p.settled_at_ms >= $2 AND p.settled_at_ms < $3::bigint * ${DAY_MS} AND p.seq NOT IN (${LOST})`

const GROUPS = `
  WITH ${OWN}
  SELECT ${SETTLED_DAY} AS day, product_id, network, count(*) AS sales, sum(atomic) AS revenue FROM ${FIRST_DAY}
    AND NOT (${isOwn('p.payer')}) GROUP BY 1, 2, 3
  UNION ALL
  SELECT d.day, k.product_id, k.network, d.sales, d.revenue
  FROM sales_days d JOIN sales_kinds k ON k.id = d.kind WHERE d.day >= $3
  UNION ALL
  SELECT d.day, k.product_id, k.network, -d.sales, -d.revenue
  FROM sales_payer_days d JOIN sales_kinds k ON k.id = d.kind
  WHERE d.payer IN (SELECT id FROM own) AND d.day >= $3
  UNION ALL
  SELECT ${SETTLED_DAY}, product_id, network, -count(*), -sum(atomic) FROM payments
  WHERE seq IN (${LOST}) AND settled_at_ms >= $3::bigint * ${DAY_MS} AND NOT (${isOwn('payer')}) GROUP BY 1, 2, 3`

/** Of a payer who lost some: those times are not among the sums. */
const timeOf = (which: 'min' | 'max', sinceMs: string) => `(
  SELECT ${which}(b.settled_at_ms) FROM payments b
  WHERE b.payer = y.payer AND b.state = 'settled' AND b.settled_at_ms >= ${sinceMs} AND b.seq NOT IN (${LOST}))`

const lostOfPayers = (sinceMs: string) => `
  SELECT y.id, -count(*) AS sales, -sum(p.atomic) AS revenue
  FROM payments p JOIN sales_payers y USING (payer)
  WHERE p.seq IN (${LOST}) AND p.settled_at_ms >= ${sinceMs} GROUP BY y.id`

const listed = (sums: string, sinceMs: string, payers: string) => `
  SELECT y.payer, s.sales, s.revenue, CASE WHEN s.is_less THEN ${timeOf('min', sinceMs)} ELSE s.first_ms END AS first_ms,
    CASE WHEN s.is_less THEN ${timeOf('max', sinceMs)} ELSE s.last_ms END AS last_ms, (${payers}) AS payers
  FROM ${sums} s JOIN sales_payers y USING (id) ORDER BY s.revenue DESC, y.payer LIMIT ${PAYERS_LISTED}`

const PAYERS_SINCE = `
  WITH ${OWN}, parts AS (
    SELECT payer AS id, sales, revenue, first_ms, last_ms, false AS is_less FROM sales_payer_days WHERE day >= $3
    UNION ALL
    SELECT y.id, 1, p.atomic, p.settled_at_ms, p.settled_at_ms, false
    FROM (SELECT * FROM ${FIRST_DAY}) p JOIN sales_payers y USING (payer)
    UNION ALL
    SELECT id, sales, revenue, NULL, NULL, true FROM (${lostOfPayers(`$3::bigint * ${DAY_MS}`)}) less
  ), sums AS MATERIALIZED (
    SELECT id, sum(sales) AS sales, sum(revenue) AS revenue, min(first_ms) AS first_ms, max(last_ms) AS last_ms,
      bool_or(is_less) AS is_less
    FROM parts WHERE id NOT IN (SELECT id FROM own) GROUP BY id HAVING sum(sales) > 0
  )
  ${listed('sums', '$2', 'SELECT count(*) FROM sums')}`

const PAYERS_EVER = `
  WITH ${OWN}, less AS MATERIALIZED (${lostOfPayers('0')}), sums AS (
    SELECT y.id, y.sales + coalesce(less.sales, 0) AS sales, y.revenue + coalesce(less.revenue, 0) AS revenue,
      y.first_ms, y.last_ms, less.id IS NOT NULL AS is_less
    FROM sales_payers y LEFT JOIN less USING (id) WHERE y.id NOT IN (SELECT id FROM own)
  )
  ${listed('(SELECT * FROM sums WHERE sales > 0)', '0', PAYERS)}`

export async function readTotals(
  query: Query,
  { sinceMs = 0, exceptPayers }: TotalsQuery,
): Promise<PaymentTotals> {
  const fromDay = Math.ceil(sinceMs / DAY_MS)
  const period = [exceptPayers, sinceMs, fromDay]
  const groups = (await query(GROUPS, period)).rows.map(toGroup)
  const { rows } = sinceMs > 0 ? await query(PAYERS_SINCE, period) : await query(PAYERS_EVER, [exceptPayers])
  return { ...foldSales(groups), payers: Number(rows[0]?.payers ?? 0), perPayer: rows.map(toPayerSum) }
}

const toPayerSum = (row: Columns): PayerSum => ({
  ...toSum(row),
  payer: String(row.payer),
  firstMs: Number(row.first_ms),
  lastMs: Number(row.last_ms),
})
