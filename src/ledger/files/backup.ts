import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, realpathSync, rmSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { explainFileFault } from '../../core/file-fault.ts'
import { flush, flushDirectory } from '../../core/flush.ts'
import type { Secret } from '../../core/secret.ts'
import { explainLedgerFault, isDamage } from '../sqlite/ledger-fault.ts'
import { writeBackupKeys } from './backup-keys.ts'
import { isKeyFile, type KeyFiles, readKeyFiles } from './key-files.ts'
import {
  changeLedger,
  countRows,
  inspectLedger,
  type LedgerFacts,
  ledgerPath,
  readLedger,
} from './ledger-file.ts'
import { nameFile } from './new-file.ts'

type Options = { dataDir: string; target: string; passphrase: Secret | undefined }
export type BackedUp = LedgerFacts & { keys: readonly string[] }

const DRAFT_ID_BYTES = 6

/**
 * The ledger and the keys of a data directory in one file, made while the service keeps writing. The file appears only
 * once it is complete, checked and flushed to disk; it never replaces another.
 */
export function backupDirectory({ dataDir, target, passphrase }: Options): BackedUp {
  const ledger = ledgerPath(dataDir)
  checkTarget(dataDir, target)
  const keys = readKeyFiles(dataDir)
  const draft = `${target}.${randomBytes(DRAFT_ID_BYTES).toString('hex')}.draft`
  try {
    const facts = copyLedger(ledger, draft)
    if (!isSame(keys, readKeyFiles(dataDir)))
      throw new Error(`the keys in ${dataDir} were changed during the backup: run it again`)
    changeLedger(draft, (db) => writeBackupKeys(db, keys, passphrase), 'backup')
    inspectLedger(draft)
    flush(draft)
    nameFile(draft, target)
    flushDirectory(dirname(target))
    return { ...facts, keys: [...keys.keys()] }
  } catch (error) {
    throw explainFileFault(dirname(target), error) ?? error
  } finally {
    for (const suffix of ['', '-journal']) rmSync(`${draft}${suffix}`, { force: true })
  }
}

/** One consistent copy in a new file that only its owner can read. */
export function copyLedger(ledger: string, copy: string): LedgerFacts {
  createPrivately(copy)
  const [before, after] = readLedger(ledger, (db) => {
    const counts = countRows(db)
    try {
      db.prepare('VACUUM INTO ?').run(copy)
    } catch (error) {
      throw isDamage(error) ? error : explainLedgerFault(copy, error)
    }
    return [counts, countRows(db)]
  })
  const copied = inspectLedger(copy)
  // Sales may have been added meanwhile, but none can be gone.
  if (copied.settled < before.settled || copied.settled > after.settled)
    throw new Error(
      `the copy has ${copied.settled} settled payments, the ledger ${before.settled} to ${after.settled}`,
    )
  return copied
}

function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    throw explainFileFault(dirname(file), error) ?? error
  }
}

/** SQLite reads a log beside a database as a part of it, and a start reads what has a name of its own here. */
function checkTarget(dataDir: string, target: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal'])
    if (existsSync(`${target}${suffix}`))
      throw new Error(`${target}${suffix} exists already: backups are never overwritten, name another file`)
  const folder = dirname(target)
  if (!existsSync(folder)) throw new Error(`${folder} does not exist: create it, or name another file`)
  const name = basename(target)
  const isReserved = /^(ledger\.sqlite|service\.lock|restoring)/.test(name) || isKeyFile(name)
  if (isReserved && existsSync(dataDir) && realpathSync(folder) === realpathSync(dataDir))
    throw new Error(`${target} is a name that the service uses itself: name another file`)
}

const isSame = (a: KeyFiles, b: KeyFiles) =>
  a.size === b.size && [...a].every(([name, text]) => b.get(name) === text)
