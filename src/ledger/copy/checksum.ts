import { hash } from 'node:crypto'
import type { Query } from '../postgres/database.ts'
import type { CopiedColumn } from './columns.ts'

/** Digits of a row's hash that are added up: 60 bits, which fit into a whole number of the target. */
const DIGITS = 15

/** Every row of a table in one number, in any order. A row that was lost, added or changed makes it another. */
export type Checksum = { rows: number; sum: string }

export function createChecksum() {
  let rows = 0
  let sum = 0n
  return {
    add(row: readonly (string | null)[]): void {
      // Lengths keep two columns apart whatever is in them.
      const text = row.map((seen) => (seen === null ? '-' : `${Buffer.byteLength(seen)}:${seen}`)).join('')
      sum += BigInt(`0x${hash('sha256', text).slice(0, DIGITS)}`)
      rows += 1
    },
    result: (): Checksum => ({ rows, sum: String(sum) }),
  }
}

/** As `Value.seen` has it. */
const SEEN: Readonly<Record<string, (column: string) => string>> = {
  boolean: (column) => `${column}::integer::text`,
  'double precision': (column) => `encode(float8send(${column}), 'hex')`,
  bytea: (column) => `encode(${column}, 'hex')`,
  // As text it would follow the time zone of who asks.
  'timestamp with time zone': (column) => `extract(epoch FROM ${column})::text`,
}
type SummedColumn = Pick<CopiedColumn, 'name' | 'type'>
const seen = ({ name, type }: SummedColumn) => SEEN[type]?.(name) ?? `${name}::text`

/** The same, of what the target holds. */
export async function checksumOf(
  query: Query,
  table: string,
  columns: readonly SummedColumn[],
): Promise<Checksum> {
  const parts = columns.map(seen).map((text) => `coalesce(octet_length(${text}) || ':' || ${text}, '-')`)
  // A table that is only there to be locked has no columns.
  const row = `encode(sha256(convert_to(${parts.join(' || ') || "''"}, 'UTF8')), 'hex')`
  const { rows } = await query(`
    SELECT count(*) AS rows, coalesce(sum(('x' || left(${row}, ${DIGITS}))::bit(${DIGITS * 4})::bigint), 0)::text AS sum
    FROM ${table}`)
  return { rows: Number(rows[0]?.rows), sum: String(rows[0]?.sum) }
}
