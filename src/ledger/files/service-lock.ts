import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type ServiceLock = { release(): void }

/** A service that is just stopping may still hold it. */
const WAIT_MS = 500
const SQLITE_BUSY = 5

/**
 * One service per data directory. The lock is an open transaction on a file of its own: the system drops it with the
 * process, however that ends. Nobody else may open that file: on POSIX, closing any handle of a process drops its locks.
 */
export function holdServiceLock(dataDir: string): ServiceLock {
  mkdirSync(dataDir, { recursive: true })
  const db = new DatabaseSync(join(dataDir, 'service.lock'), { timeout: WAIT_MS })
  try {
    db.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    db.close()
    throw isBusy(cause) ? new Error(inUse(dataDir), { cause }) : cause
  }
  return { release: () => db.close() }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}

const inUse = (dataDir: string) =>
  `${dataDir} is in use by a running service: stop that one first, or name another directory in TOLLBOOK_DATA_DIR`
