import { z } from 'zod'
import type { Query } from '../database.ts'

/**
 * What tells a ledger in a database from its copies: the number that a server was made with, and the numbers of the
 * database and of a table of the ledger in it. A dump that is put back anywhere, also in the place of the ledger that it
 * was made of, has another table. A copy of the whole server has all three: a standby, which may take over, but also a
 * base backup that was promoted, or a provider's snapshot. Those cannot be told from the ledger.
 */
const Place = z.object({
  server: z.string().nullable(),
  database: z.string(),
  table: z.string(),
  name: z.string(),
})
type Place = z.infer<typeof Place>

const NUMBERS = `
  SELECT (SELECT oid FROM pg_database WHERE datname = current_database())::text AS database,
    to_regclass('ledger_identity')::oid::text AS table`
const MAY_ASK = "SELECT has_function_privilege('pg_control_system()', 'EXECUTE') AS may"
const SERVER = 'SELECT system_identifier::text AS server FROM pg_control_system()'

/** The place of the ledger, as its identity holds it. Its tables must be there. */
export async function placeOfDatabase(query: Query, name: string): Promise<string> {
  const [numbers] = (await query(NUMBERS)).rows
  // Some who run servers for others allow nobody to ask for it.
  const [asked] = (await query(MAY_ASK)).rows
  const [server] = asked?.may === true ? (await query(SERVER)).rows : []
  const place: Place = {
    server: server ? String(server.server) : null,
    database: String(numbers?.database),
    table: String(numbers?.table),
    name,
  }
  return JSON.stringify(place)
}

export const nameIn = (place: string): string => parse(place).name

/** New servers count alike, so the number of the server decides where it is known. Names may change. */
export function isCopiedDatabase(recorded: string, found: string): boolean {
  const [before, now] = [parse(recorded), parse(found)]
  const isServerKnown = before.server !== null && now.server !== null
  if (isServerKnown && before.server !== now.server) return true
  return before.database !== now.database || before.table !== now.table
}

const parse = (place: string): Place => Place.parse(JSON.parse(place))
