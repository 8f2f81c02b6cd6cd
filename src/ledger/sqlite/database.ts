import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { migrate } from './migrations.ts'

const BUSY_TIMEOUT_MS = 2_000
/** The write-ahead log is truncated to this size after a backup made it grow. */
const WAL_KEPT_BYTES = 67_108_864

/** WAL with synchronous FULL, so that a commit survives a power cut; readable by its owner only. */
export function openDatabase(file: string): DatabaseSync {
  if (file !== ':memory:') createPrivately(file)
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    // fullfsync: on macOS a plain fsync leaves the bytes in the drive's cache. Elsewhere it changes nothing.
    db.exec(`
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA foreign_keys = ON;
      PRAGMA journal_size_limit = ${WAL_KEPT_BYTES}
    `)
    migrate(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** SQLite gives its log and index files the permissions of the main file. */
function createPrivately(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  closeSync(openSync(file, 'a', 0o600))
}
