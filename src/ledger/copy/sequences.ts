import type { DatabaseSync } from 'node:sqlite'
import { toAmount } from '../columns.ts'
import type { Query } from '../postgres/database.ts'
import { prepareExact } from '../sqlite/columns.ts'

/** A number that the target gives out itself, and the last one that the source gave. */
type Sequence = { table: string; column: string; last: bigint }

/** Also numbers of rows that are gone, where the source remembers them: none is ever given twice. */
export function lastNumber(source: DatabaseSync, table: string, column: string): Sequence {
  const row = prepareExact(
    source,
    `SELECT max(coalesce((SELECT max(${column}) FROM ${table}), 0),
       coalesce((SELECT seq FROM sqlite_sequence WHERE name = ?), 0)) AS last`,
  ).get(table)
  return { table, column, last: toAmount(row?.last) }
}

/** The next row gets the number after the last one. */
export async function setSequence(query: Query, { table, column, last }: Sequence): Promise<void> {
  await query('SELECT setval(pg_get_serial_sequence($1, $2), greatest($3::bigint, 1), $3::bigint > 0)', [
    table,
    column,
    String(last),
  ])
}

/** The number that the next row gets; asks without taking it. */
export async function nextNumber(query: Query, { table, column }: Sequence): Promise<bigint> {
  const [found] = (await query('SELECT pg_get_serial_sequence($1, $2) AS name', [table, column])).rows
  const [row] = (await query(`SELECT last_value, is_called FROM ${found?.name}`)).rows
  return BigInt(String(row?.last_value)) + (row?.is_called === true ? 1n : 0n)
}
