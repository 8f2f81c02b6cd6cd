import type { DatabaseSync } from 'node:sqlite'
import type { PaymentBookQueries } from '../../ports/payment-book-queries.ts'
import { prepareOverview } from './read-overview.ts'
import { preparePurchases } from './read-purchases.ts'
import { prepareTotals } from './read-totals.ts'

export type ReportName = 'overview' | 'totals' | 'purchasesOf'
export type ReportQueries = {
  [name in ReportName]: (
    ...args: Parameters<PaymentBookQueries[name]>
  ) => Awaited<ReturnType<PaymentBookQueries[name]>>
}

/** What may read more than a few rows. */
export const prepareReports = (db: DatabaseSync): ReportQueries => ({
  overview: prepareOverview(db),
  totals: prepareTotals(db),
  purchasesOf: preparePurchases(db),
})
