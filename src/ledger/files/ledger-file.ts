import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { LedgerIdentity } from '../ports/ledger-identity.ts'
import { readIdentity } from '../sqlite/identity-book.ts'
import { checkHasContent, explainLedgerFault, type FileRole } from '../sqlite/ledger-fault.ts'
import { APPLICATION_ID, checkOurs } from '../sqlite/migrations.ts'

export const ledgerPath = (dataDir: string): string => join(dataDir, 'ledger.sqlite')

/** Enough for a running service to finish a checkpoint. */
const BUSY_TIMEOUT_MS = 5_000

/** How much a ledger holds, and what it is bound to. */
export type LedgerFacts = {
  payments: number
  settled: number
  replies: number
  identity: LedgerIdentity | undefined
}

type Work<T> = (db: DatabaseSync) => T

/** Opens a ledger read-only; a service may be writing to it. */
export const readLedger = <T>(file: string, read: Work<T>, role: FileRole = 'ledger'): T =>
  using(file, read, role, () => new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS }))
/** Opens a ledger that no service uses. */
export const changeLedger = <T>(file: string, change: Work<T>, role: FileRole = 'ledger'): T =>
  using(file, change, role, () => new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS }))
/**
 * Opens a ledger read-only and leaves no file behind: reading one that nobody has open would make its log and the index
 * of that anew. Without a log there is nothing that the file itself does not say.
 */
export const viewLedger = <T>(file: string, view: Work<T>): T =>
  existsSync(`${file}-wal`)
    ? readLedger(file, view)
    : using(file, view, 'ledger', () => {
        const address = pathToFileURL(file)
        address.searchParams.set('immutable', '1')
        return new DatabaseSync(address, { readOnly: true })
      })

function using<T>(file: string, work: Work<T>, role: FileRole, open: () => DatabaseSync): T {
  if (!existsSync(file))
    throw new Error(
      `there is no ${role} at ${file}: correct the path${role === 'ledger' ? ', TOLLBOOK_DATA_DIR or TOLLBOOK_MODE' : ''}`,
    )
  checkHasContent(file, role)
  try {
    const db = open()
    try {
      checkOurs(db, file)
      if (first(db, 'PRAGMA application_id') !== APPLICATION_ID)
        throw new Error(`${file} is not a ledger: correct the path`)
      return work(db)
    } finally {
      db.close()
    }
  } catch (error) {
    throw explainLedgerFault(file, error, role)
  }
}

export function countRows(db: DatabaseSync): LedgerFacts {
  const counts = db
    .prepare(
      `SELECT (SELECT count(*) FROM payments) AS payments, (SELECT count(*) FROM replies) AS replies,
         (SELECT count(*) FROM payments WHERE state = 'settled') AS settled`,
    )
    .get()
  const of = (name: 'payments' | 'settled' | 'replies') => Number(counts?.[name])
  return {
    payments: of('payments'),
    settled: of('settled'),
    replies: of('replies'),
    identity: readIdentity(db),
  }
}

/** Throws unless the file is a whole and sound ledger that this release can open. */
export function inspectLedger(file: string, role: FileRole = 'backup'): LedgerFacts {
  const check = (db: DatabaseSync) => {
    db.exec('PRAGMA query_only = ON')
    const verdict = first(db, 'PRAGMA integrity_check')
    if (verdict !== 'ok') throw new Error(`${file} is damaged, ${verdict}: use another backup`)
    if (db.prepare('PRAGMA foreign_key_check').get())
      throw new Error(`${file} is damaged, a row has lost the one it belongs to: use another backup`)
    return countRows(db)
  }
  // Not read-only: SQLite would then skip the CHECKs of the tables in integrity_check.
  return changeLedger(file, check, role)
}

const first = (db: DatabaseSync, pragma: string) => Object.values(db.prepare(pragma).get() ?? {})[0]
