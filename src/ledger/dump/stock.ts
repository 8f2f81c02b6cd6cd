import { z } from 'zod'
import { checksumOf } from '../copy/checksum.ts'
import { columnsOf } from '../copy/columns.ts'
import type { Columns, Query } from '../postgres/database.ts'
import { findIdentity } from '../postgres/identity/identity-book.ts'

const Sums = z.object({ rows: z.int().nonnegative(), sum: z.string() })
const Head = z.object({
  tree_size: z.string(),
  root_hash: z.string(),
  at_ms: z.string(),
  key_id: z.string(),
  mode: z.string().nullable(),
  signature: z.string(),
})
const Settled = z.object({
  seq: z.string(),
  id: z.string(),
  network: z.string(),
  tx: z.string(),
  settled_at_ms: z.string(),
})

/** What a ledger in a database holds at one moment. */
export const Stock = z.object({
  ledger_id: z.string(),
  mode: z.string(),
  schema: z.string(),
  schema_version: z.int(),
  /** Rows and a checksum of all of them, of every table that is there. */
  tables: z.record(z.string(), Sums),
  /** Payments by state, with their amounts in millionths of a dollar. */
  payments: z.record(z.string(), z.object({ count: z.int(), atomic: z.string() })),
  /** What was signed last about the record. */
  newest_head: Head.nullable(),
  /** The last sale that a receipt was given for. */
  newest_settled: Settled.nullable(),
})
export type Stock = z.infer<typeof Stock>

const TABLES = `
  SELECT relname AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') ORDER BY relname COLLATE "C"`
const VERSION = 'SELECT current_schema() AS schema, max(version) AS version FROM ledger_versions'
const STATES =
  'SELECT state, count(*) AS n, coalesce(sum(atomic), 0)::text AS atomic FROM payments GROUP BY state ORDER BY state'
const HEAD =
  'SELECT tree_size, root_hash, at_ms, key_id, mode, signature FROM record_heads ORDER BY tree_size DESC LIMIT 1'
const SETTLED = `
  SELECT seq, id, network, tx, settled_at_ms FROM payments
  WHERE state = 'settled' ORDER BY settled_at_ms DESC, seq DESC LIMIT 1`

/** The tables that are there, not those that this release knows: none can be forgotten. */
export async function listTables(query: Query): Promise<string[]> {
  return (await query(TABLES)).rows.map(({ name }) => String(name))
}

/** Reads every row. Ask in one moment, or the parts do not belong together. */
export async function takeStock(query: Query, name: string): Promise<Stock> {
  const names = await listTables(query)
  const identity = names.includes('ledger_identity') ? await findIdentity(query) : undefined
  if (!identity) throw new Error(`${name} holds no ledger: correct the address`)
  const tables: Record<string, z.infer<typeof Sums>> = {}
  for (const table of names) tables[table] = await checksumOf(query, table, await columnsOf(query, table))
  const [version] = (await query(VERSION)).rows
  const states = (await query(STATES)).rows
  return Stock.parse({
    ledger_id: identity.ledgerId,
    mode: identity.mode,
    schema: version?.schema,
    schema_version: Number(version?.version),
    tables,
    payments: Object.fromEntries(
      states.map(({ state, n, atomic }) => [String(state), { count: Number(n), atomic: String(atomic) }]),
    ),
    newest_head: await findRow(query, HEAD),
    newest_settled: await findRow(query, SETTLED),
  })
}

/** Numbers as text: some do not fit into those of JSON. */
async function findRow(query: Query, sql: string): Promise<Columns | null> {
  const [row] = (await query(sql)).rows
  if (!row) return null
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)]),
  )
}

/** One line for each thing that is not the same. */
export function compareStock(wanted: Stock, found: Stock): string[] {
  const names = [...new Set([...Object.keys(wanted.tables), ...Object.keys(found.tables)])].sort()
  const tables = names.flatMap((table) => {
    const [here, there] = [wanted.tables[table], found.tables[table]]
    if (here && there && here.rows === there.rows && here.sum === there.sum) return []
    return [`${table}: ${tell(here)} in the manifest, ${tell(there)} in the database`]
  })
  const facts = (['ledger_id', 'mode', 'schema', 'schema_version'] as const).flatMap((fact) =>
    wanted[fact] === found[fact]
      ? []
      : [`${fact}: ${wanted[fact]} in the manifest, ${found[fact]} in the database`],
  )
  return [...facts, ...tables]
}

const tell = (sums: z.infer<typeof Sums> | undefined) =>
  sums ? `${sums.rows} rows with the checksum ${sums.sum}` : 'nothing'
