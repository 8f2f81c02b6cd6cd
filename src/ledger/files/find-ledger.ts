import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { FoundLedger } from '../identity/objections.ts'
import { hasHistory, hasTable, readIdentity } from '../sqlite/identity-book.ts'
import { findMoved } from '../sqlite/moved-mark.ts'
import { KEYS_TABLE } from './backup-keys.ts'
import { findDatabaseNote } from './database-note.ts'
import { isCopy, pathIn, placeOf } from './place.ts'

/** What the ledger says of itself. A backup is no ledger to serve from: it has private keys in it. */
export function findLedger(db: DatabaseSync, file: string): FoundLedger {
  if (hasTable(db, KEYS_TABLE))
    throw new Error(`${file} is a backup: move it away and put it back with ./tollbook restore`)
  const identity = readIdentity(db)
  const place = placeOf(file)
  return {
    kept: 'file',
    name: file,
    identity,
    hasHistory: hasHistory(db),
    place,
    copyOf: identity && isCopy(identity.place, place) ? pathIn(identity.place) : undefined,
    // The database that the file was moved to may have been put back elsewhere since.
    movedTo: findDatabaseNote(dirname(file))?.name ?? findMoved(db),
    halfCopiedFrom: undefined,
  }
}
