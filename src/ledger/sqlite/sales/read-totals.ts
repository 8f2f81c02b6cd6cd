import type { DatabaseSync } from 'node:sqlite'
import { DAY_MS } from '../../../core/time/time.ts'
import {
  PAYERS_LISTED,
  type PayerSum,
  type PaymentTotals,
  type TotalsQuery,
} from '../../ports/payment-book-queries.ts'
import { foldSales } from '../../totals.ts'
import { type Columns, prepareExact } from '../columns.ts'
import { OWN, prepareGroups, toGroup } from './groups.ts'
import { isKept, lostOfPayers, PAYERS_GONE, prepareLost } from './lost.ts'
import { HALF, SETTLED_DAY, SETTLED_SUMS } from './sales-tables.ts'
import { byRevenue, toSum } from './sums.ts'

/** Rows from the moment asked for to the end of its day; every later day is read from its sums. */
const FIRST_DAY = `payments p INDEXED BY payments_settled
  WHERE p.state = 'settled' AND p.settled_at_ms >= :sinceMs AND p.settled_at_ms < :fromDay * ${DAY_MS}
  AND ${isKept('p')}`

/** Of a payer who lost some: those times are not among the sums. */
const timeOf = (which: 'min' | 'max', sinceMs: string) => `(
  SELECT ${which}(b.settled_at_ms) FROM payments b INDEXED BY payments_payer
  WHERE b.payer = y.payer AND b.state = 'settled' AND b.settled_at_ms >= ${sinceMs} AND ${isKept('b')})`

const FIRST_GROUPS = `
  SELECT ${SETTLED_DAY} AS day, product_id, network, ${SETTLED_SUMS} FROM ${FIRST_DAY}
  AND lower(p.payer) NOT IN (SELECT lower(value) FROM json_each(:except)) GROUP BY 1, 2, 3`

const PAYERS_SINCE = `
  WITH ${OWN}, parts (payer, sales, high, low, first_ms, last_ms, is_less) AS (
    SELECT payer, sales, high, low, first_ms, last_ms, 0 FROM sales_payer_days WHERE day >= :fromDay
    UNION ALL
    SELECT (SELECT id FROM sales_payers y WHERE y.payer = p.payer), 1, atomic / ${HALF}, atomic % ${HALF},
      settled_at_ms, settled_at_ms, 0 FROM ${FIRST_DAY}
    UNION ALL
    SELECT id, sales, high, low, NULL, NULL, 1 FROM (${lostOfPayers(':fromDay')})
  ), sums AS MATERIALIZED (
    SELECT payer AS id, sum(sales) AS sales, sum(high) AS high, sum(low) AS low, min(first_ms) AS first_ms,
      max(last_ms) AS last_ms, max(is_less) AS is_less
    FROM parts WHERE payer NOT IN own GROUP BY payer HAVING sum(sales) > 0
  )
  SELECT y.payer, s.sales, s.high, s.low, iif(s.is_less, ${timeOf('min', ':sinceMs')}, s.first_ms) AS first_ms,
    iif(s.is_less, ${timeOf('max', ':sinceMs')}, s.last_ms) AS last_ms, (SELECT count(*) FROM sums) AS payers
  FROM sums s JOIN sales_payers y USING (id) ORDER BY ${byRevenue('s', 'y')} LIMIT ${PAYERS_LISTED}`

const PAYERS_EVER = `
  WITH ${OWN}, less AS MATERIALIZED (${lostOfPayers('0')}), sums AS (
    SELECT y.id, y.payer, y.sales + coalesce(less.sales, 0) AS sales, y.high + coalesce(less.high, 0) AS high,
      y.low + coalesce(less.low, 0) AS low, y.first_ms, y.last_ms, less.id IS NOT NULL AS is_less
    FROM sales_payers y LEFT JOIN less USING (id) WHERE y.id NOT IN own
  )
  SELECT payer, sales, high, low, iif(is_less, ${timeOf('min', '0')}, first_ms) AS first_ms,
    iif(is_less, ${timeOf('max', '0')}, last_ms) AS last_ms,
    (SELECT max(id) FROM sales_payers) - (SELECT count(*) FROM own) - (${PAYERS_GONE}) AS payers
  FROM sums y WHERE sales > 0 ORDER BY ${byRevenue('y', 'y')} LIMIT ${PAYERS_LISTED}`

/** Lists of payers grow with their number, so this is for a thread that nobody waits for. */
export function prepareTotals(db: DatabaseSync): (query: TotalsQuery) => PaymentTotals {
  const groups = prepareGroups(db)
  const lost = prepareLost(db)
  const firstGroups = prepareExact(db, FIRST_GROUPS)
  const payersSince = prepareExact(db, PAYERS_SINCE)
  const payersEver = prepareExact(db, PAYERS_EVER)
  return ({ sinceMs = 0, exceptPayers }) => {
    const except = JSON.stringify(exceptPayers)
    const fromDay = Math.ceil(sinceMs / DAY_MS)
    const period = { sinceMs, fromDay, except }
    const first = firstGroups.all(period).map(toGroup)
    const payers = sinceMs > 0 ? payersSince.all(period) : payersEver.all({ except })
    return {
      ...foldSales([...first, ...groups.all(period), ...groups.lessOwn(period), ...lost.others(period)]),
      payers: Number(payers[0]?.payers ?? 0),
      perPayer: payers.map(toPayerSum),
    }
  }
}

function toPayerSum(row: Columns): PayerSum {
  return {
    ...toSum(row),
    payer: String(row.payer),
    firstMs: Number(row.first_ms),
    lastMs: Number(row.last_ms),
  }
}
