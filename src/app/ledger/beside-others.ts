import { findDatabaseNote } from '../../ledger/files/database-note.ts'
import type { FoundLedger } from '../../ledger/identity/objections.ts'
import { isCopiedDatabase } from '../../ledger/postgres/identity/place.ts'

/**
 * A dump that was put back and adopted is no copy by what it says itself, and neither is the one that it was made of. A
 * data directory that was served from one of them takes the other for a copy.
 */
export function besideOthers(dataDir: string, found: FoundLedger): FoundLedger {
  if (found.copyOf !== undefined) return found
  const note = findDatabaseNote(dataDir)
  const isOther =
    note?.place !== undefined &&
    note.ledgerId === found.identity?.ledgerId &&
    isCopiedDatabase(note.place, found.place)
  return isOther ? { ...found, copyOf: note.name } : found
}
