import { constants, copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { backupLedger } from './backup.ts'
import { flush, flushDirectory, inspectLedger, type LedgerFacts, ledgerPath } from './ledger-file.ts'
import { holdServiceLock } from './service-lock.ts'

type Options = { dataDir: string; backup: string; force: boolean; nowMs: number }
export type Restored = LedgerFacts & { kept: string | undefined }

/** Replaces the ledger with a backup. At every moment the path holds the complete old ledger or the complete new one. */
export function restoreLedger({ dataDir, backup, force, nowMs }: Options): Restored {
  inspectLedger(backup)
  const lock = holdServiceLock(dataDir)
  const ledger = ledgerPath(dataDir)
  const draft = `${ledger}.restoring`
  try {
    if (existsSync(ledger) && !force)
      throw new Error(
        `${ledger} exists: pass --force to replace it; the old ledger is kept under another name`,
      )
    rmSync(draft, { force: true })
    // Not a plain copy: a backup that was opened may have a write-ahead log beside it.
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
  // A write-ahead log that could not be folded in would be read as part of the restored file.
  for (const suffix of ['-wal', '-shm'])
    if (existsSync(`${ledger}${suffix}`)) renameSync(`${ledger}${suffix}`, `${aside}${suffix}`)
  try {
    linkSync(ledger, aside)
  } catch {
    // Some file systems have no hard links.
    copyFileSync(ledger, aside, constants.COPYFILE_EXCL)
    flush(aside)
  }
  return aside
}

/** Closing the last connection writes the log into the main file and removes it. Leaves a damaged ledger as it is. */
function foldLog(ledger: string): void {
  try {
    const db = new DatabaseSync(ledger)
    try {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } finally {
      db.close()
    }
  } catch {
    // A damaged ledger is kept all the same: some of it may be saved.
  }
}
