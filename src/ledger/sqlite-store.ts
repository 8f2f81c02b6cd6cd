import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ServiceError } from '../core/service-error.ts'
import { migrate } from './migrations.ts'
import type { Store } from './store.ts'

const BUSY_TIMEOUT_MS = 2_000

/** The embedded ledger: WAL with synchronous FULL, so that a commit survives a power cut. */
export function openSqliteStore(file: string): Store {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
  migrate(db)
  return {
    demo: demoCounters(db),
    async ping() {
      guarded(() => db.prepare('SELECT 1').get())
    },
    async close() {
      db.close()
    },
  }
}

function demoCounters(db: DatabaseSync): Store['demo'] {
  const select = db.prepare('SELECT client, used FROM demo_calls WHERE day = ?')
  const forget = db.prepare('DELETE FROM demo_calls WHERE day < ?')
  const upsert = db.prepare(
    'INSERT INTO demo_calls (day, client, used) VALUES (?, ?, ?) ON CONFLICT (day, client) DO UPDATE SET used = excluded.used',
  )
  return {
    async load(day) {
      return guarded(() => {
        forget.run(day)
        return new Map(select.all(day).map((row) => [String(row.client), Number(row.used)]))
      })
    },
    async save(day, used) {
      guarded(() =>
        transaction(db, () => {
          for (const [client, count] of used) upsert.run(day, client, count)
        }),
      )
    },
  }
}

function transaction(db: DatabaseSync, work: () => void): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    work()
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** A full disk or a locked file is an outage, not a bug: callers get 503 and nothing is given away. */
function guarded<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new ServiceError('store_unavailable', 'the ledger did not accept the write', { cause })
  }
}
