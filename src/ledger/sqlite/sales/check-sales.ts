import type { DatabaseSync } from 'node:sqlite'
import { SETTLED_DAY, SETTLED_SUMS, SETTLED_TIMES } from './sales-tables.ts'

/** Enough to see what is wrong. */
const LISTED = 10

/** What a table has, and what its rows should be by the payments. */
const TABLES = [
  {
    table: 'sales_kinds',
    has: 'SELECT network, asset, product_id, sales, high, low, last_ms FROM sales_kinds',
    should: `SELECT network, asset, product_id, ${SETTLED_SUMS}, max(settled_at_ms) AS last_ms
      FROM payments WHERE state = 'settled' GROUP BY 1, 2, 3`,
  },
  {
    table: 'sales_payers',
    has: 'SELECT payer, sales, high, low, first_ms, last_ms FROM sales_payers',
    should: `SELECT payer, ${SETTLED_SUMS}, ${SETTLED_TIMES} FROM payments WHERE state = 'settled' GROUP BY payer`,
  },
  {
    table: 'sales_payer_days',
    has: `SELECT d.day, y.payer, k.network, k.asset, k.product_id, d.sales, d.high, d.low, d.first_ms, d.last_ms
      FROM sales_payer_days d LEFT JOIN sales_payers y ON y.id = d.payer LEFT JOIN sales_kinds k ON k.id = d.kind`,
    should: `SELECT ${SETTLED_DAY} AS day, payer, network, asset, product_id, ${SETTLED_SUMS}, ${SETTLED_TIMES}
      FROM payments WHERE state = 'settled' GROUP BY 1, 2, 3, 4, 5`,
  },
  {
    table: 'sales_days',
    has: `SELECT d.day, k.network, k.asset, k.product_id, d.sales, d.high, d.low
      FROM sales_days d LEFT JOIN sales_kinds k ON k.id = d.kind`,
    should: `SELECT ${SETTLED_DAY} AS day, network, asset, product_id, ${SETTLED_SUMS}
      FROM payments WHERE state = 'settled' GROUP BY 1, 2, 3, 4`,
  },
  {
    table: 'sales_payers, whose largest id is their number',
    has: 'SELECT coalesce(max(id), 0) AS payers FROM sales_payers',
    should: "SELECT count(DISTINCT payer) AS payers FROM payments WHERE state = 'settled'",
  },
] as const

/** Compares the sums that reports read with the payments, row by row. One line for each difference; none is good. */
export function checkSales(db: DatabaseSync): string[] {
  const differences = (these: string, those: string) =>
    db
      .prepare(`SELECT * FROM (${these}) EXCEPT SELECT * FROM (${those}) LIMIT ${LISTED}`)
      .all()
      .map((row) => Object.entries(row).map(([name, value]) => `${name} ${value}`))
  return TABLES.flatMap(({ table, has, should }) => [
    ...differences(has, should).map((row) => `${table} has ${row.join(', ')}; the payments do not say so`),
    ...differences(should, has).map((row) => `${table} lacks ${row.join(', ')}`),
  ])
}
