import type { DatabaseSync } from 'node:sqlite'
import type { Query } from '../postgres/database.ts'
import { COPIED_TABLES, type CopiedTable, OWN_TABLES } from './tables.ts'

/** A column of the target and what is read for it from the source. */
export type CopiedColumn = { name: string; type: string; from: string; isIdentity: boolean }

/** `to_regclass` follows the search path, so that it finds the table which statements mean. */
const COLUMNS = `
  SELECT attname AS name, format_type(atttypid, NULL) AS type, attidentity <> '' AS is_identity
  FROM pg_attribute
  WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
  ORDER BY attnum`

/** The columns of a table in the database, without those that follow from others. */
export async function columnsOf(query: Query, table: string) {
  const { rows } = await query(COLUMNS, [table])
  return rows.map(({ name, type, is_identity }) => ({
    name: String(name),
    type: String(type),
    isIdentity: is_identity === true,
  }))
}

/** What to copy of a table. Throws where a column of the source would be lost: then this release forgot it. */
export async function findColumns(
  source: DatabaseSync,
  query: Query,
  { table, from = {}, left = [] }: CopiedTable,
): Promise<CopiedColumn[]> {
  const there = source
    .prepare('SELECT name FROM pragma_table_xinfo(?)')
    .all(table)
    .map(({ name }) => String(name))
  const columns = (await columnsOf(query, table)).flatMap((column) => {
    const read = from[column.name] ?? (there.includes(column.name) ? column.name : undefined)
    // A column that only the target has gets its default.
    return read === undefined ? [] : [{ ...column, from: read }]
  })
  const lost = there.filter((name) => !left.includes(name) && !columns.some((column) => column.from === name))
  if (lost.length > 0 || columns.length === 0)
    throw new Error(
      `${table}: this release does not know where ${lost.join(', ') || 'it'} goes; nothing was copied`,
    )
  return columns
}

/** Throws where the source has a table that nobody copies. */
export function checkTables(source: DatabaseSync): void {
  const known = [...COPIED_TABLES.map(({ table }) => table), ...OWN_TABLES]
  const lost = source
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !known.includes(name))
  if (lost.length > 0)
    throw new Error(`this release does not know where ${lost.join(', ')} goes; nothing was copied`)
}
