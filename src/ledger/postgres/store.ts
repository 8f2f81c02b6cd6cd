import { type Clock, systemClock } from '../../core/time/clock.ts'
import { createPageViewLog } from '../page-view-log.ts'
import type { Store } from '../ports/store.ts'
import { createPostgresPageViews } from './community/page-views.ts'
import { createPostgresWatercooler } from './community/watercooler-book.ts'
import type { Database } from './database.ts'
import { createPostgresDemoCounters } from './demo-counters.ts'
import { createPostgresFinalityBook } from './finality/finality-book.ts'
import { createPostgresHintBook } from './finality/hint-book.ts'
import { createPostgresIdentityBook } from './identity/identity-book.ts'
import { createLeaderBooks } from './leader/leader-books.ts'
import type { Leadership } from './leader/leadership.ts'
import { type AdmitDatabase, openLedgerDatabase } from './open-ledger.ts'
import { createPostgresOperatorBook } from './operator/operator-book.ts'
import { createPostgresPaymentBook } from './payments/payment-book.ts'
import { createPostgresPaymentQueries } from './payments/payment-queries.ts'
import { createSalesCount } from './sales/count-sales.ts'
import { createPostgresSignInBook } from './sign-in/sign-in-book.ts'
import { createPostgresUsage } from './usage.ts'
import { requireWritable } from './writable.ts'

type Options = { clock?: Clock; admit?: AdmitDatabase }

/** Without a leader: what only one may write is refused. */
export async function openPostgresStore(
  url: string,
  { clock = systemClock, admit }: Options = {},
): Promise<Store> {
  return createPostgresStore(await openLedgerDatabase(url, admit), clock, NOBODY)
}

const NOBODY: Pick<Leadership, 'term'> = { term: () => undefined }

/** The ledger of several processes, for one of them. `payments`: the number of their table; learnt from the first one where it is not given. */
export function createPostgresStore(
  database: Database,
  clock: Clock,
  leader: Pick<Leadership, 'term'>,
  payments?: string,
): Store {
  const sales = createSalesCount(database, clock)
  const usage = createPostgresUsage(database, clock)
  const operator = createPostgresOperatorBook(database, clock)
  const pageViews = createPageViewLog(createPostgresPageViews(database), clock)
  return {
    ...createLeaderBooks(database, leader),
    demo: createPostgresDemoCounters(database),
    payments: {
      ...createPostgresPaymentBook(database, sales.plan, payments),
      ...createPostgresPaymentQueries(database, sales),
    },
    finality: createPostgresFinalityBook(database),
    hints: createPostgresHintBook(database),
    usage: usage.log,
    identity: createPostgresIdentityBook(database),
    operator: operator.book,
    signIn: createPostgresSignInBook(database),
    watercooler: createPostgresWatercooler(database),
    pageViews: pageViews.log,
    ping: () => requireWritable(database),
    async close() {
      await Promise.all([sales, usage, operator, pageViews].map((part) => part.close()))
      await database.close()
    },
  }
}
