import type { DatabaseSync } from 'node:sqlite'
import { hasTable } from './identity-book.ts'

/** Has a row once a database serves in place of this file. In the file itself, so that it goes wherever that goes. */
export const MOVED = `
  CREATE TABLE ledger_moved (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    name TEXT NOT NULL,
    moved_ms INTEGER NOT NULL
  ) STRICT;
`

/** The database that serves in place of this ledger, without its password. */
export function findMoved(db: DatabaseSync): string | undefined {
  if (!hasTable(db, 'ledger_moved')) return undefined
  const row = db.prepare('SELECT name FROM ledger_moved').get()
  return row && String(row.name)
}

export function markMoved(db: DatabaseSync, name: string, nowMs: number): void {
  db.prepare('INSERT OR REPLACE INTO ledger_moved VALUES (1, ?, ?)').run(name, nowMs)
}

export function unmarkMoved(db: DatabaseSync): void {
  if (hasTable(db, 'ledger_moved')) db.exec('DELETE FROM ledger_moved')
}
