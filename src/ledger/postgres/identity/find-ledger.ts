import type { FoundLedger } from '../../identity/objections.ts'
import type { Query } from '../database.ts'
import { findCopying } from './copy-mark.ts'
import { findIdentity } from './identity-book.ts'
import { isCopiedDatabase, nameIn, placeOfDatabase } from './place.ts'

/** Tables with a row in them once anybody has called the service or the record has begun. */
const HISTORY = ['payments', 'record_leaves', 'usage'] as const

/** What the ledger in a database says of itself; also where its tables are not all there yet. Writes nothing. */
export async function findDatabaseLedger(query: Query, name: string): Promise<FoundLedger> {
  const has = async (table: string) => {
    const [row] = (await query('SELECT to_regclass($1) IS NOT NULL AS has', [table])).rows
    return row?.has === true
  }
  const isMade = await has('ledger_identity')
  const identity = isMade ? await findIdentity(query) : undefined
  const place = isMade ? await placeOfDatabase(query, name) : ''
  const copying = (await has('ledger_copying')) ? await findCopying(query) : undefined
  let hasHistory = false
  for (const table of HISTORY)
    hasHistory ||= (await has(table)) && (await query(`SELECT 1 FROM ${table} LIMIT 1`)).count > 0
  return {
    kept: 'database',
    name,
    identity,
    hasHistory,
    place,
    copyOf: identity && isCopiedDatabase(identity.place, place) ? nameIn(identity.place) : undefined,
    movedTo: undefined,
    halfCopiedFrom: copying?.source,
  }
}
