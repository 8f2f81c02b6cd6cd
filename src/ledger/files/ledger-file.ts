import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { APPLICATION_ID, NEWEST_VERSION, versionOf } from '../sqlite/migrations.ts'

export const ledgerPath = (dataDir: string): string => join(dataDir, 'ledger.sqlite')

/** Enough for a running service to finish a checkpoint. */
const BUSY_TIMEOUT_MS = 5_000

/** How much a ledger holds. */
export type LedgerFacts = { payments: number; settled: number; replies: number }

/** Opens a ledger read-only; a service may be writing to it. */
export const readLedger = <T>(file: string, read: (db: DatabaseSync) => T): T => using(file, true, read)

function using<T>(file: string, readOnly: boolean, work: (db: DatabaseSync) => T): T {
  if (!existsSync(file)) throw new Error(`there is no ledger at ${file}`)
  const db = new DatabaseSync(file, { readOnly, timeout: BUSY_TIMEOUT_MS })
  try {
    return work(db)
  } finally {
    db.close()
  }
}

export function countRows(db: DatabaseSync): LedgerFacts {
  const counts = db
    .prepare(
      `SELECT (SELECT count(*) FROM payments) AS payments, (SELECT count(*) FROM replies) AS replies,
         (SELECT count(*) FROM payments WHERE state = 'settled') AS settled`,
    )
    .get()
  const of = (name: keyof LedgerFacts) => Number(counts?.[name])
  return { payments: of('payments'), settled: of('settled'), replies: of('replies') }
}

/** Throws unless the file is a whole and sound ledger that this release can open. */
export function inspectLedger(file: string): LedgerFacts {
  // Not read-only: SQLite would then skip the CHECKs of the tables in integrity_check.
  return using(file, false, (db) => {
    db.exec('PRAGMA query_only = ON')
    if (first(db, 'PRAGMA application_id') !== APPLICATION_ID) throw new Error(`${file} is not a ledger`)
    const version = versionOf(db)
    if (version > NEWEST_VERSION)
      throw new Error(`${file} is of a newer release: its version is ${version}, ours ${NEWEST_VERSION}`)
    const verdict = first(db, 'PRAGMA integrity_check')
    if (verdict !== 'ok') throw new Error(`${file} is damaged: ${verdict}`)
    if (db.prepare('PRAGMA foreign_key_check').get())
      throw new Error(`${file} is damaged: a reply has lost its payment`)
    return countRows(db)
  })
}

const first = (db: DatabaseSync, pragma: string) => Object.values(db.prepare(pragma).get() ?? {})[0]

/** To the disk, not only to the system's cache. */
export function flush(path: string): void {
  const handle = openSync(path, 'r+')
  fsyncSync(handle)
  closeSync(handle)
}

/** Makes a rename durable. Windows cannot open a directory, and has no need to. */
export function flushDirectory(path: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
