import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeDirectory } from '../../core/make-directory.ts'
import { explainLedgerFault } from '../sqlite/ledger-fault.ts'

export type ServiceLock = { release(): void }

/** Time for a service that is stopping to release it. */
const WAIT_MS = 500
const SQLITE_BUSY = 5
/** A database that nothing refers to is closed by the garbage collector, and its lock is gone. */
const held = new Set<DatabaseSync>()

/**
 * One service per data directory. The lock is an open transaction on a file of its own: the system releases it when the
 * process ends, however it ends. Do not open that file elsewhere: on POSIX, closing any handle to it drops the lock.
 */
export function holdServiceLock(dataDir: string): ServiceLock {
  const file = join(dataDir, 'service.lock')
  const db = openLock(dataDir, file)
  try {
    db.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    db.close()
    throw isBusy(cause) ? new Error(inUse(dataDir), { cause }) : explainLedgerFault(file, cause)
  }
  held.add(db)
  return {
    release() {
      held.delete(db)
      db.close()
    },
  }
}

/** Whether a service holds the lock now. Takes no lock itself, and makes no file. */
export function isServiceRunning(dataDir: string): boolean {
  const file = join(dataDir, 'service.lock')
  if (!existsSync(file)) return false
  try {
    const db = new DatabaseSync(file, { readOnly: true, timeout: 0 })
    try {
      db.prepare('SELECT 1 FROM sqlite_schema').all()
      return false
    } finally {
      db.close()
    }
  } catch (error) {
    if (isBusy(error)) return true
    throw explainLedgerFault(file, error)
  }
}

function openLock(dataDir: string, file: string): DatabaseSync {
  try {
    makeDirectory(dataDir)
    // SQLite opens a file that it may not write too, and its lock then holds nobody back.
    if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK)
    return new DatabaseSync(file, { timeout: WAIT_MS })
  } catch (error) {
    throw explainLedgerFault(file, error)
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}

const inUse = (dataDir: string) =>
  `${dataDir} is in use by a running service or sandbox: stop that one first, or name another directory in TOLLBOOK_DATA_DIR`
