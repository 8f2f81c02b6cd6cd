import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { flush, flushDirectory } from '../../core/flush.ts'
import { checkLedgerFile, explainLedgerFault } from './ledger-fault.ts'
import { checkOurs, migrate } from './migrations.ts'

const BUSY_TIMEOUT_MS = 2_000
/** The write-ahead log is truncated to this size after a backup made it grow. */
const WAL_KEPT_BYTES = 67_108_864

/** Throws where this ledger must not be used. Nothing has been written when it is asked. */
export type Admit = (db: DatabaseSync) => void

/** WAL with synchronous FULL, so that a commit survives a power cut; readable by its owner only. */
export function openDatabase(file: string, admit: Admit = () => {}): DatabaseSync {
  if (file === ':memory:') return prepare(new DatabaseSync(file), file, admit)
  try {
    checkLedgerFile(file)
    if (!existsSync(file)) createLedger(file)
    return prepare(new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS }), file, admit)
  } catch (error) {
    throw explainLedgerFault(file, error)
  }
}

function prepare(db: DatabaseSync, file: string, admit: Admit): DatabaseSync {
  try {
    checkOurs(db, file)
    admit(db)
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

/**
 * The file appears with its tables in it, so that a file without content is a lost ledger and never a new one. SQLite
 * gives its log and index files the permissions of the main file.
 */
function createLedger(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const draft = `${file}.new`
  const leave = () => {
    for (const suffix of ['', '-journal']) rmSync(`${draft}${suffix}`, { force: true })
  }
  leave()
  closeSync(openSync(draft, 'wx', 0o600))
  try {
    const db = new DatabaseSync(draft)
    try {
      migrate(db)
    } finally {
      db.close()
    }
    flush(draft)
    renameSync(draft, file)
    flushDirectory(dirname(file))
  } finally {
    leave()
  }
}
