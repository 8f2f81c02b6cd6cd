import type { Usd } from '../../../core/money.ts'
import type { Sum } from '../../ports/payment-book-queries.ts'
import type { SalesGroup } from '../../totals.ts'
import { toAmount } from '../columns.ts'
import type { Columns } from '../database.ts'

/** Numbers of payments that a chain took back for good: none of them is revenue. */
export const LOST = "SELECT payment FROM undone_payments WHERE state = 'lost'"

/** Payers among `$1`, a list of wallets; upper and lower case are the same. */
export const OWN =
  'own AS (SELECT id FROM sales_payers WHERE lower(payer) IN (SELECT lower(unnest($1::text[]))))'
export const isOwn = (payer: string) => `lower(${payer}) IN (SELECT lower(unnest($1::text[])))`

export const toSum = ({ sales, revenue }: Columns): Sum => ({
  count: Number(sales ?? 0),
  revenue: toAmount(revenue ?? '0') as Usd,
})

export const toGroup = (row: Columns): SalesGroup => ({
  ...toSum(row),
  day: Number(row.day),
  productId: String(row.product_id),
  network: String(row.network),
})
