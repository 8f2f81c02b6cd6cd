import { existsSync, renameSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { hasContent } from '../sqlite/ledger-fault.ts'
import { addName } from './new-file.ts'

/** Gives a file a second name, so that a rename over its first one loses nothing. */
export function keepAside(file: string, nowMs: number): string {
  const aside = `${file}.before-restore-${new Date(nowMs).toISOString().replaceAll(':', '-')}`
  if (file.endsWith('.sqlite')) {
    // SQLite deletes the log of a database without content.
    if (hasContent(file)) foldLog(file)
    // A write-ahead log that could not be folded in would be read as part of the restored file.
    for (const suffix of ['-wal', '-shm'])
      if (existsSync(`${file}${suffix}`)) renameSync(`${file}${suffix}`, `${aside}${suffix}`)
  }
  if (existsSync(file)) addName(file, aside)
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
