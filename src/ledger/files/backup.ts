import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  countRows,
  flush,
  flushDirectory,
  inspectLedger,
  type LedgerFacts,
  readLedger,
} from './ledger-file.ts'

/**
 * One consistent copy in one file, made while the service keeps writing. The file appears only once it is complete,
 * checked and flushed to disk; it never replaces another.
 */
export function backupLedger(ledger: string, target: string): LedgerFacts {
  if (existsSync(target)) throw new Error(`${target} exists already: backups are never overwritten`)
  const draft = `${target}.${process.pid}.draft`
  closeSync(openSync(draft, 'wx', 0o600))
  try {
    const [before, after] = readLedger(ledger, (db) => {
      const counts = countRows(db)
      db.prepare('VACUUM INTO ?').run(draft)
      return [counts, countRows(db)]
    })
    const copied = inspectLedger(draft)
    // Sales may have been added meanwhile, but none can be gone.
    if (copied.settled < before.settled || copied.settled > after.settled)
      throw new Error(
        `the copy has ${copied.settled} settled payments, the ledger ${before.settled} to ${after.settled}`,
      )
    flush(draft)
    renameSync(draft, target)
    flushDirectory(dirname(target))
    return copied
  } finally {
    rmSync(draft, { force: true })
  }
}
