import type { DatabaseSync } from 'node:sqlite'
import { type Clock, systemClock } from '../../core/time/clock.ts'
import type { Store } from '../ports/store.ts'
import { type Admit, openDatabase } from './database.ts'
import { createSqliteDemoCounters } from './demo-counters.ts'
import { createGroupCommit } from './group-commit.ts'
import { createSqliteIdentityBook } from './identity-book.ts'
import { createSqlitePaymentBook } from './payment-book.ts'
import { createSqlitePaymentQueries } from './payment-queries.ts'
import { createSqliteRecordBook } from './record-book.ts'
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
  return {
    demo: createSqliteDemoCounters(db, commit),
    payments: { ...createSqlitePaymentBook(db, commit), ...createSqlitePaymentQueries(db, commit) },
    usage: usage.log,
    record: createSqliteRecordBook(db, commit),
    identity: createSqliteIdentityBook(db, commit),
    ping: () => commit.read(() => void ping.get()),
    async close() {
      usage.close()
      commit.close()
      db.close()
    },
  }
}
