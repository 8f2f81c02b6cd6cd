import pg from 'pg'

/** By the first letters of the server's code. */
const KINDS: readonly [start: string, what: string][] = [
  ['28', 'the database refuses the name or password'],
  ['3D', 'there is no such database'],
  ['42501', 'the database user may not do that'],
  ['53', 'the database has no room or no free connection'],
  ['57P', 'the database is stopping or starting'],
  ['57014', 'the database took too long'],
  ['55P03', 'another session keeps a table that has to change'],
  ['25006', 'the database can only be read'],
]

/** Of the client itself: it has none to answer with. */
const NO_PASSWORD = /password must be a (non-empty )?string/
const ASKS =
  'the ledger cannot be used: the database asks for a password, and its address has none, nor has PGPASSWORD or ~/.pgpass'

/** For callers and logs: what stands against the ledger, without the address, which holds a password. */
export function explainDatabaseFault(error: unknown): string {
  if (!(error instanceof pg.DatabaseError))
    return NO_PASSWORD.test(String(error)) ? ASKS : 'the ledger cannot be reached'
  const kind = KINDS.find(([start]) => error.code?.startsWith(start))
  return kind ? `the ledger cannot be used: ${kind[1]}` : 'the ledger cannot be read or written'
}
