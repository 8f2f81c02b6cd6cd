import type { Usd } from '../../../core/money.ts'
import type { Sum } from '../../ports/payment-book-queries.ts'
import type { Columns } from '../columns.ts'
import { HALF } from './sales-tables.ts'

/** Most revenue first, then by name, of two tables of a query. */
export const byRevenue = (sums: string, payers: string) =>
  `${sums}.high * 1.0 * ${HALF} + ${sums}.low DESC, ${payers}.payer`

/** Of the columns sales, high and low, from a statement that reads exactly. A sum over no rows is null. */
export function toSum({ sales, high, low }: Columns): Sum {
  return { count: Number(sales ?? 0), revenue: (toBigInt(high) * HALF + toBigInt(low)) as Usd }
}

const toBigInt = (half: Columns[string] | undefined): bigint => BigInt((half ?? 0n) as bigint)
