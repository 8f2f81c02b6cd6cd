import type { DatabaseSync } from 'node:sqlite'
import type { SalesGroup } from '../../totals.ts'
import { type Columns, prepareExact } from '../columns.ts'
import { toSum } from './sums.ts'

/** Payers among `:except`, which is a JSON list; upper and lower case are the same. */
export const OWN = `own (id) AS (
  SELECT id FROM sales_payers WHERE lower(payer) IN (SELECT lower(value) FROM json_each(:except)))`

/** Looks up each day of each wallet, so that it reads no other payer. */
export function ownDays(columns: string): string {
  return `WITH RECURSIVE ${OWN}, days (day) AS (
    SELECT min(day) FROM sales_days WHERE day >= :fromDay
    UNION ALL SELECT (SELECT min(day) FROM sales_days WHERE day > days.day) FROM days WHERE days.day IS NOT NULL
  )
  SELECT ${columns}
  FROM own CROSS JOIN days CROSS JOIN sales_payer_days d ON d.day = days.day AND d.payer = own.id
  CROSS JOIN sales_kinds k ON k.id = d.kind`
}

const KEPT = `
  SELECT d.day, k.product_id, k.network, d.sales, d.high, d.low
  FROM sales_days d JOIN sales_kinds k ON k.id = d.kind WHERE d.day >= :fromDay`

const OF_OWN = ownDays('d.day, k.product_id, k.network, -d.sales AS sales, -d.high AS high, -d.low AS low')

export type FromDay = { fromDay: number; except: string }

/** Sums of whole UTC days. What the wallets of `except` paid is there to take away. */
export function prepareGroups(db: DatabaseSync) {
  const kept = prepareExact(db, KEPT)
  const ofOwn = prepareExact(db, OF_OWN)
  return {
    all: ({ fromDay }: FromDay): SalesGroup[] => kept.all({ fromDay }).map(toGroup),
    lessOwn: ({ fromDay, except }: FromDay): SalesGroup[] => ofOwn.all({ fromDay, except }).map(toGroup),
  }
}

export function toGroup(row: Columns): SalesGroup {
  return {
    ...toSum(row),
    day: Number(row.day),
    productId: String(row.product_id),
    network: String(row.network),
  }
}
