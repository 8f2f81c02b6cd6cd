import type { DatabaseSync } from 'node:sqlite'
import { type Clock, systemClock } from '../../core/time/clock.ts'
import { createPageViewLog } from '../page-view-log.ts'
import type { Store } from '../ports/store.ts'
import { createSqliteBotBook } from './bot/bot-book.ts'
import { createSqlitePaperBook } from './bot/paper-book.ts'
import { createSqlitePageViews } from './community/page-views.ts'
import { createSqliteWatercooler } from './community/watercooler-book.ts'
import { type Admit, openDatabase } from './database.ts'
import { createSqliteDemoCounters } from './demo-counters.ts'
import { createSqliteFinalityBook } from './finality/finality-book.ts'
import { createSqliteHintBook } from './finality/hint-book.ts'
import { createGroupCommit } from './group-commit.ts'
import { createSqliteIdentityBook } from './identity-book.ts'
import { createSqliteOperatorBook } from './operator/operator-book.ts'
import { createSqlitePaymentBook } from './payment-book.ts'
import { createSqlitePaymentQueries } from './payment-queries.ts'
import { createSqliteRecordBook } from './record-book.ts'
import { createReports } from './sales/reports.ts'
import { createSqliteSignInBook } from './sign-in/sign-in-book.ts'
import { createSqliteUptimeBook } from './uptime-book.ts'
import { createSqliteUsage } from './usage.ts'

type Options = { clock?: Clock; admit?: Admit }

/** The embedded ledger. */
export function openSqliteStore(file: string, options: Options = {}): Store {
  return createSqliteStore(openDatabase(file, options.admit), options)
}

/** Takes over a database that `openDatabase` opened. */
export function createSqliteStore(db: DatabaseSync, { clock = systemClock }: Options = {}): Store {
  const commit = createGroupCommit(db)
  const ping = db.prepare('SELECT 1')
  const usage = createSqliteUsage(db, commit, clock)
  const operator = createSqliteOperatorBook(db, commit, clock)
  const pageViews = createPageViewLog(createSqlitePageViews(db, commit), clock)
  const file = db.location()
  const reports = file === null ? undefined : createReports(file)
  return {
    demo: createSqliteDemoCounters(db, commit),
    payments: { ...createSqlitePaymentBook(db, commit), ...createSqlitePaymentQueries(db, commit, reports) },
    finality: createSqliteFinalityBook(db, commit),
    hints: createSqliteHintBook(db, commit),
    usage: usage.log,
    record: createSqliteRecordBook(db, commit),
    identity: createSqliteIdentityBook(db, commit),
    bot: createSqliteBotBook(db, commit),
    paper: createSqlitePaperBook(db, commit),
    operator: operator.book,
    signIn: createSqliteSignInBook(db, commit),
    watercooler: createSqliteWatercooler(db, commit),
    pageViews: pageViews.log,
    uptime: createSqliteUptimeBook(db, commit),
    ping: () => commit.read(() => void ping.get()),
    async close() {
      usage.close()
      operator.close()
      pageViews.close()
      commit.close()
      // First, so that this connection is the last one and tidies up the log.
      await reports?.close()
      db.close()
    },
  }
}
