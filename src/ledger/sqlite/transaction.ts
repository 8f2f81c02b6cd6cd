import type { DatabaseSync } from 'node:sqlite'

/** All of `work` or nothing; durable when it returns. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    // A full disk can end the transaction by itself.
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
