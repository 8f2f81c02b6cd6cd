import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { openSealedText, type SealedText, sealText } from '../../core/sealed-text.ts'
import type { Secret } from '../../core/secret.ts'
import { hasTable, readIdentity } from '../sqlite/identity-book.ts'
import { isKeyFile, type KeyFiles } from './key-files.ts'

/** Only backups have it: one row with all keys, in the clear or sealed with a passphrase. */
export const KEYS_TABLE = 'backup_keys'

/** Binds the keys to their ledger, so that nobody can put those of another backup in their place. */
const aboutOf = (db: DatabaseSync) => `tollbook-backup-keys-v1 ${readIdentity(db)?.ledgerId ?? ''}`
const Content = z.record(z.string().refine(isKeyFile), z.string())

export function writeBackupKeys(db: DatabaseSync, keys: KeyFiles, passphrase: Secret | undefined): void {
  const text = JSON.stringify(Object.fromEntries(keys))
  const empty = new Uint8Array()
  const row: SealedText = passphrase
    ? sealText(text, passphrase, aboutOf(db))
    : { salt: empty, nonce: empty, tag: empty, content: Buffer.from(text) }
  db.exec(`CREATE TABLE ${KEYS_TABLE} (
    sealed INTEGER NOT NULL, salt BLOB NOT NULL, nonce BLOB NOT NULL, tag BLOB NOT NULL, content BLOB NOT NULL
  ) STRICT`)
  db.prepare(`INSERT INTO ${KEYS_TABLE} VALUES (?, ?, ?, ?, ?)`).run(
    passphrase ? 1 : 0,
    row.salt,
    row.nonce,
    row.tag,
    row.content,
  )
}

/** Undefined for a backup of an earlier release, which holds no keys. */
export function readBackupKeys(
  db: DatabaseSync,
  file: string,
  passphrase: Secret | undefined,
): KeyFiles | undefined {
  if (!hasTable(db, KEYS_TABLE)) return undefined
  const row = db.prepare(`SELECT * FROM ${KEYS_TABLE}`).get()
  if (!row) throw new Error(`${file} is damaged, its keys are gone: use another backup`)
  const text =
    row.sealed === 1 ? open(db, row as unknown as SealedText, file, passphrase) : toText(row.content)
  try {
    return new Map(Object.entries(Content.parse(JSON.parse(text))))
  } catch (cause) {
    throw new Error(`${file} is damaged, its keys cannot be read: use another backup`, { cause })
  }
}

function open(db: DatabaseSync, sealed: SealedText, file: string, passphrase: Secret | undefined): string {
  if (!passphrase)
    throw new Error(
      `the keys in ${file} are encrypted: name the passphrase with --passphrase-file or in TOLLBOOK_BACKUP_PASSPHRASE`,
    )
  const text = openSealedText(sealed, passphrase, aboutOf(db))
  if (text === undefined)
    throw new Error(`the passphrase does not open the keys in ${file}: try another; nothing was changed`)
  return text
}

const toText = (content: unknown) => Buffer.from(content as Uint8Array).toString('utf8')

/** No key stays in a ledger that is served from, not even in a page that is free. */
export function dropBackupKeys(db: DatabaseSync): void {
  db.exec(`DROP TABLE IF EXISTS ${KEYS_TABLE}; VACUUM`)
}
