import { constants, copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { backupLedger } from './backup.ts'
import { flush, flushDirectory, inspectLedger, type LedgerFacts, ledgerPath } from './ledger-file.ts'
import { holdServiceLock } from './service-lock.ts'

type Options = { dataDir: string; backup: string; force: boolean; nowMs: number }
export type Restored = LedgerFacts & { kept: string | undefined }

/** Puts a backup in the place of the ledger. At every moment either the old ledger or the new one is there, whole. */
export function restoreLedger({ dataDir, backup, force, nowMs }: Options): Restored {
  inspectLedger(backup)
  const lock = holdServiceLock(dataDir)
  const ledger = ledgerPath(dataDir)
  const draft = `${ledger}.restoring`
  try {
    if (existsSync(ledger) && !force)
      throw new Error(`${ledger} exists: say --force to put the backup in its place; it will be kept aside`)
    rmSync(draft, { force: true })
    // Not a plain copy: a backup that somebody opened may have a log of its own beside it.
    const facts = backupLedger(backup, draft)
    const kept = existsSync(ledger) ? keepAside(ledger, nowMs) : undefined
    renameSync(draft, ledger)
    flushDirectory(dataDir)
    return { ...facts, kept }
  } finally {
    rmSync(draft, { force: true })
    lock.release()
  }
}

/** Gives the old ledger a second name, so that the rename over its first one loses nothing. */
function keepAside(ledger: string, nowMs: number): string {
  const aside = `${ledger}.before-restore-${new Date(nowMs).toISOString().replaceAll(':', '-')}`
  foldLog(ledger)
  // A log that could not be folded in must not meet the restored file: it would be read as part of it.
  for (const suffix of ['-wal', '-shm'])
    if (existsSync(`${ledger}${suffix}`)) renameSync(`${ledger}${suffix}`, `${aside}${suffix}`)
  try {
    linkSync(ledger, aside)
  } catch {
    // Some file systems have no second names.
    copyFileSync(ledger, aside, constants.COPYFILE_EXCL)
    flush(aside)
  }
  return aside
}

/** Closing the last connection writes the log into the main file and removes it. A damaged ledger stays as it is. */
function foldLog(ledger: string): void {
  try {
    const db = new DatabaseSync(ledger)
    try {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } finally {
      db.close()
    }
  } catch {
    // Kept aside all the same: it may be worth a rescue.
  }
}
