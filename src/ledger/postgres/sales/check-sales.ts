import type { Query } from '../database.ts'
import { SETTLED_DAY, SUMS } from './sales-tables.ts'

/** Enough to see what is wrong. */
const LISTED = 10

const TIMES = 'min(settled_at_ms) AS first_ms, max(settled_at_ms) AS last_ms'
/** Those that are noted and not counted yet are in no sum, and are no fault. */
const COUNTED = `FROM payments WHERE state = 'settled' AND seq NOT IN (SELECT payment FROM uncounted_sales)`

/** What a table has, and what its rows should be by the payments. */
const TABLES = [
  {
    table: 'sales_kinds',
    has: 'SELECT network, asset, product_id, sales, revenue, last_ms FROM sales_kinds',
    should: `SELECT network, asset, product_id, ${SUMS}, max(settled_at_ms) AS last_ms ${COUNTED} GROUP BY 1, 2, 3`,
  },
  {
    table: 'sales_payers',
    has: 'SELECT payer, sales, revenue, first_ms, last_ms FROM sales_payers',
    should: `SELECT payer, ${SUMS}, ${TIMES} ${COUNTED} GROUP BY payer`,
  },
  {
    table: 'sales_payer_days',
    has: `SELECT d.day, y.payer, k.network, k.asset, k.product_id, d.sales, d.revenue, d.first_ms, d.last_ms
      FROM sales_payer_days d LEFT JOIN sales_payers y ON y.id = d.payer LEFT JOIN sales_kinds k ON k.id = d.kind`,
    should: `SELECT ${SETTLED_DAY} AS day, payer, network, asset, product_id, ${SUMS}, ${TIMES}
      ${COUNTED} GROUP BY 1, 2, 3, 4, 5`,
  },
  {
    table: 'sales_days',
    has: `SELECT d.day, k.network, k.asset, k.product_id, d.sales, d.revenue
      FROM sales_days d LEFT JOIN sales_kinds k ON k.id = d.kind`,
    should: `SELECT ${SETTLED_DAY} AS day, network, asset, product_id, ${SUMS} ${COUNTED} GROUP BY 1, 2, 3, 4`,
  },
  {
    table: 'sales_payers, whose largest id is their number',
    has: 'SELECT coalesce(max(id), 0) AS payers FROM sales_payers',
    should: `SELECT count(DISTINCT payer) AS payers ${COUNTED}`,
  },
] as const

/** As `checkSales` of the embedded ledger. Ask in one moment: services may be selling. */
export async function checkDatabaseSales(query: Query): Promise<string[]> {
  const differences = async (these: string, those: string) =>
    (await query(`SELECT * FROM (${these}) a EXCEPT SELECT * FROM (${those}) b LIMIT ${LISTED}`)).rows.map(
      (row) =>
        Object.entries(row)
          .map(([name, value]) => `${name} ${value}`)
          .join(', '),
    )
  const faults: string[] = []
  for (const { table, has, should } of TABLES) {
    for (const row of await differences(has, should))
      faults.push(`${table} has ${row}; the payments do not say so`)
    for (const row of await differences(should, has)) faults.push(`${table} lacks ${row}`)
  }
  return faults
}
