import type { DatabaseSync } from 'node:sqlite'
import type { FoundLedger } from '../identity/objections.ts'
import { hasHistory, hasTable, readIdentity } from '../sqlite/identity-book.ts'
import { KEYS_TABLE } from './backup-keys.ts'
import { placeOf } from './place.ts'

/** What the ledger says of itself. A backup is no ledger to serve from: it has private keys in it. */
export function findLedger(db: DatabaseSync, file: string): FoundLedger {
  if (hasTable(db, KEYS_TABLE))
    throw new Error(`${file} is a backup: move it away and put it back with ./tollbook restore`)
  return { file, identity: readIdentity(db), hasHistory: hasHistory(db), place: placeOf(file) }
}
