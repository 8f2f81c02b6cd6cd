import type { Later } from '../../later.ts'
import type { PaymentBookQueries } from '../../ports/payment-book-queries.ts'
import { findText } from '../columns.ts'
import type { Database, Query } from '../database.ts'
import { inOneMoment } from '../one-moment.ts'
import { readOverview } from '../sales/overview.ts'
import { readPurchases } from '../sales/purchases.ts'
import { readTotals } from '../sales/totals.ts'
import { listRows, selectRows } from './payment-row.ts'
import { purgeReplies } from './purge.ts'

const BY_TRANSACTION = selectRows(
  'WHERE p.tx IS NOT NULL AND lower(p.tx) = lower($1) AND p.network = $2 ORDER BY p.seq',
)
const RECEIPT = 'SELECT receipt FROM payments WHERE id = $1 AND receipt IS NOT NULL'

export function createPostgresPaymentQueries(database: Database, count: Later): PaymentBookQueries {
  const { query } = database
  /** With everything that was settled before. */
  const report = async <T>(read: (query: Query) => Promise<T>): Promise<T> => {
    await count.run()
    return inOneMoment(database, read)
  }
  return {
    overview: (exceptPayers) => report((ask) => readOverview(ask, exceptPayers)),
    totals: (wanted) => report((ask) => readTotals(ask, wanted)),
    purchasesOf: (payer, page) => report((ask) => readPurchases(ask, payer, page)),
    findByTransaction: (network, transaction) => listRows(query, BY_TRANSACTION, [transaction, network]),
    findReceipt: async (id) => findText((await query(RECEIPT, [id])).rows[0]?.receipt),
    purgeReplies: (beforeMs) => purgeReplies(query, beforeMs),
  }
}
