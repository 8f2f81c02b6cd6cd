import type { DatabaseSync } from 'node:sqlite'
import type { Page, PaymentBookQueries } from '../ports/payment-book-queries.ts'
import type { GroupCommit } from './group-commit.ts'
import { prepareRows } from './payment-row.ts'
import { createSqlitePurge } from './purge.ts'
import { prepareReports } from './sales/prepare-reports.ts'
import type { Reports } from './sales/reports.ts'

/** Purchases that are read at once: fewer than it takes to ask a thread for them. */
const FEW_ROWS = 50

/** `reports` is missing where the ledger is in memory, which no other thread can read. */
export function createSqlitePaymentQueries(
  db: DatabaseSync,
  commit: GroupCommit,
  reports: Reports | undefined,
): PaymentBookQueries {
  const own = prepareReports(db)
  const atOnce: Omit<Reports, 'close'> = {
    overview: (...args) => commit.read(() => own.overview(...args)),
    totals: (...args) => commit.read(() => own.totals(...args)),
    purchasesOf: (...args) => commit.read(() => own.purchasesOf(...args)),
  }
  const { overview, totals, purchasesOf } = reports ?? atOnce
  const isShort = ({ limit, offset }: Page) => limit + offset <= FEW_ROWS
  const byTransaction = prepareRows(
    db,
    'WHERE p.tx IS NOT NULL AND lower(p.tx) = lower(?) AND p.network = ? ORDER BY p.seq',
  )
  const receipt = db.prepare('SELECT receipt FROM payments WHERE id = ? AND receipt IS NOT NULL')
  return {
    overview,
    totals,
    findByTransaction: (network, transaction) => commit.read(() => byTransaction.list(transaction, network)),
    purchasesOf: (payer, page) => (isShort(page) ? atOnce : { purchasesOf }).purchasesOf(payer, page),
    findReceipt: (id) =>
      commit.read(() => {
        const row = receipt.get(id)
        return row && String(row.receipt)
      }),
    purgeReplies: createSqlitePurge(db, commit),
  }
}
