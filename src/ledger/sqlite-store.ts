import type { DatabaseSync } from 'node:sqlite'
import { type Clock, systemClock } from '../core/clock.ts'
import { createGroupCommit } from './group-commit.ts'
import { openDatabase } from './sqlite-database.ts'
import { createSqliteDemoCounters } from './sqlite-demo-counters.ts'
import { createSqlitePaymentBook } from './sqlite-payment-book.ts'
import { createSqlitePaymentQueries } from './sqlite-payment-queries.ts'
import { createSqliteRecordBook } from './sqlite-record-book.ts'
import { createSqliteUsage } from './sqlite-usage.ts'
import type { Store } from './store.ts'

type Options = { clock?: Clock }

/** The embedded ledger. */
export function openSqliteStore(file: string, options: Options = {}): Store {
  return createSqliteStore(openDatabase(file), options)
}

/** Takes over a database that `openDatabase` opened. */
export function createSqliteStore(db: DatabaseSync, { clock = systemClock }: Options = {}): Store {
  const commit = createGroupCommit(db)
  const ping = db.prepare('SELECT 1')
  const usage = createSqliteUsage(db, commit, clock)
  return {
    demo: createSqliteDemoCounters(db, commit),
    payments: { ...createSqlitePaymentBook(db, commit), ...createSqlitePaymentQueries(db, commit) },
    usage: usage.log,
    record: createSqliteRecordBook(db, commit),
    ping: () => commit.read(() => void ping.get()),
    async close() {
      usage.close()
      commit.close()
      db.close()
    },
  }
}
