import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { countText } from '../../core/count-text.ts'
import { versionOf } from '../sqlite/migrations.ts'
import { readLedger } from './ledger-file.ts'

/** The key that a service on this ledger must have, and what was signed with it. */
export type Signer = {
  keyId: string
  signed: string
  /** Other processes may have it, each in a file of its own. */
  isShared?: boolean
}

/** The releases of the ledger that brought payments and the record. */
const WITH_PAYMENTS = 2
const WITH_RECORD = 4

/** Who signed last: the newest head of the record or, where there is none, the newest receipt. Writes nothing. */
export function findSigner(ledger: string): Signer | undefined {
  if (!existsSync(ledger)) return undefined
  return readLedger(ledger, findSignerIn)
}

export const findSignerIn = (db: DatabaseSync): Signer | undefined => ofRecord(db) ?? ofReceipts(db)

function ofRecord(db: DatabaseSync): Signer | undefined {
  if (versionOf(db) < WITH_RECORD) return undefined
  const head = db.prepare('SELECT key_id, tree_size FROM record_heads ORDER BY tree_size DESC LIMIT 1').get()
  return (
    head && {
      keyId: String(head.key_id),
      signed: `a record of ${countText(Number(head.tree_size), 'leaf', 'leaves')}`,
    }
  )
}

function ofReceipts(db: DatabaseSync): Signer | undefined {
  if (versionOf(db) < WITH_PAYMENTS) return undefined
  const row = db
    .prepare('SELECT receipt FROM payments WHERE receipt IS NOT NULL ORDER BY seq DESC LIMIT 1')
    .get()
  return row && { keyId: kidOf(String(row.receipt)), signed: 'a receipt' }
}

/** Who signed a receipt. */
export function kidOf(jws: string): string {
  return String(JSON.parse(Buffer.from(jws.split('.')[0] ?? '', 'base64url').toString()).kid)
}
