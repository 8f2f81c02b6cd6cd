import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Mode } from '../../config/variables/variable.ts'
import { flush, flushDirectory } from '../../core/flush.ts'
import { writePrivateFile } from '../../core/private-file.ts'
import type { Secret } from '../../core/secret.ts'
import type { LedgerIdentity } from '../ports/ledger-identity.ts'
import { readIdentity, writeIdentity } from '../sqlite/identity-book.ts'
import { copyLedger } from './backup.ts'
import { dropBackupKeys, readBackupKeys } from './backup-keys.ts'
import { markRestored, markRestoring } from './half-restored.ts'
import { keepAside } from './keep-aside.ts'
import { type KeyFiles, readKeyFiles } from './key-files.ts'
import { changeLedger, inspectLedger, type LedgerFacts, ledgerPath, readLedger } from './ledger-file.ts'
import { placeOf } from './place.ts'
import { holdServiceLock } from './service-lock.ts'

export type RestoreOptions = {
  dataDir: string
  backup: string
  /** Also where something is replaced. */
  force: boolean
  /** Leaves the ledger as it is: for a key that was lost or damaged. */
  keysOnly: boolean
  passphrase: Secret | undefined
  mode: Mode
  nowMs: number
  /** What else changes in the restored ledger before it takes the place of the old one. */
  amend?: (db: DatabaseSync) => void
}
export type Restored = LedgerFacts & {
  /** Undefined where the backup is of an earlier release and holds none. */
  keys: readonly string[] | undefined
  /** Files that were here before, under their new names. */
  kept: readonly string[]
}

/**
 * Puts ledger and keys of a backup in the place of those that are there, which are kept. The ledger's path holds the
 * complete old ledger or the complete new one at every moment, and until all files are replaced no service starts here.
 */
export function restoreDirectory(options: RestoreOptions): Restored {
  const { dataDir, backup, passphrase, nowMs } = options
  const facts = inspectLedger(backup)
  const keys = readLedger(backup, (db) => readBackupKeys(db, backup, passphrase), 'backup')
  const lock = holdServiceLock(dataDir)
  const draft = join(dataDir, 'restoring.draft')
  try {
    checkFits(options, facts.identity, keys)
    const old = findOld(options, keys)
    if (old.length > 0 && !options.force)
      throw new Error(
        `${old.join(' and ')} ${old.length === 1 ? 'exists: pass --force to replace it' : 'exist: pass --force to replace them'}; what is there is kept under another name`,
      )
    prepare(draft, options, keys)
    markRestoring(dataDir, { backup, keysOnly: options.keysOnly, isSealed: passphrase !== undefined })
    const kept = old.map((file) => keepAside(file, nowMs))
    flushDirectory(dataDir)
    replace(dataDir, draft, old)
    markRestored(dataDir)
    return { ...facts, keys: keys && [...keys.keys()], kept }
  } finally {
    rmSync(draft, { recursive: true, force: true })
    lock.release()
  }
}

/** Ledger and keys as they will be, in a directory of their own. A file keeps its place when it is renamed. */
function prepare(
  draft: string,
  { dataDir, backup, keysOnly, amend }: RestoreOptions,
  keys: KeyFiles | undefined,
): void {
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  if (!keysOnly) {
    const ledger = ledgerPath(draft)
    // Not a plain copy: a backup that was opened may have a write-ahead log beside it.
    copyLedger(backup, ledger)
    const change = (db: DatabaseSync) => {
      settle(db, placeOf(ledger, ledgerPath(dataDir)))
      amend?.(db)
    }
    changeLedger(ledger, change, 'backup')
    flush(ledger)
  }
  for (const [name, text] of keys ?? []) writePrivateFile(join(draft, name), text)
  flushDirectory(draft)
}

function settle(db: DatabaseSync, place: string): void {
  dropBackupKeys(db)
  const identity = readIdentity(db)
  if (identity) writeIdentity(db, { ...identity, place })
}

/** What has no successor goes too: a key of another time does not fit the ledger. */
function replace(dataDir: string, draft: string, old: readonly string[]): void {
  const names = readdirSync(draft)
  for (const name of names) renameSync(join(draft, name), join(dataDir, name))
  for (const file of old) if (!names.includes(basename(file))) rmSync(file, { force: true })
  flushDirectory(dataDir)
}

/** What is replaced: the ledger, and keys other than those of the backup. Where that holds none, the keys stay. */
function findOld({ dataDir, keysOnly }: RestoreOptions, keys: KeyFiles | undefined): string[] {
  const ledger = ledgerPath(dataDir)
  const isReplaced = !keysOnly && [ledger, `${ledger}-wal`].some((file) => existsSync(file))
  const others = [...readKeyFiles(dataDir)].filter(([name, text]) => {
    if (!keys || keys.get(name) === text) return false
    return keys.has(name) || !keysOnly
  })
  return [...(isReplaced ? [ledger] : []), ...others.map(([name]) => join(dataDir, name))]
}

function checkFits(
  options: RestoreOptions,
  identity: LedgerIdentity | undefined,
  keys: KeyFiles | undefined,
): void {
  const { dataDir, backup, mode, keysOnly } = options
  const ledger = ledgerPath(dataDir)
  if (identity && identity.mode !== mode)
    throw new Error(
      `${backup} is of ${identity.mode} mode, and this is ${mode} mode: set TOLLBOOK_MODE=${identity.mode}`,
    )
  const present = existsSync(ledger) ? findIdentity(ledger) : undefined
  if (present && present.mode !== mode)
    throw new Error(
      `${ledger} is a ledger of ${present.mode} mode, and this is ${mode} mode: name another directory in TOLLBOOK_DATA_DIR`,
    )
  if (!keysOnly) return
  if (!keys) throw new Error(`${backup} holds no keys, it is of an earlier release: use another backup`)
  if (!identity || present?.ledgerId !== identity.ledgerId)
    throw new Error(`${backup} is not of the ledger at ${ledger}, so its keys do not fit: use another backup`)
}

/** A ledger that cannot be read has no mode any more. */
function findIdentity(ledger: string): LedgerIdentity | undefined {
  try {
    return readLedger(ledger, readIdentity)
  } catch {
    return undefined
  }
}
