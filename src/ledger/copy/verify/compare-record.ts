import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Columns, Query } from '../../postgres/database.ts'
import type { Comparison } from './difference.ts'

const LAST_LEAF = 'SELECT seq, id, text FROM record_leaves ORDER BY seq DESC LIMIT 1'
const NEWEST_HEAD =
  'SELECT tree_size, root_hash, at_ms, key_id, mode, signature FROM record_heads ORDER BY tree_size DESC LIMIT 1'

/** The last entry of the record, and what was signed last about all of it. */
export async function compareRecord(source: DatabaseSync, query: Query): Promise<Comparison[]> {
  const both = async (what: string, sql: string, toText: (row: Columns) => string) => ({
    what,
    source: tell(source.prepare(sql).get(), toText),
    target: tell((await query(sql)).rows[0], toText),
  })
  return [
    await both('last leaf of the record', LAST_LEAF, (row) => `${row.seq}, ${shortHash(row)}`),
    await both('newest head of the record', NEWEST_HEAD, (row) => `${row.tree_size}, ${shortHash(row)}`),
  ]
}

const SHOWN_DIGITS = 16
const tell = (row: Columns | undefined, toText: (row: Columns) => string) => (row ? toText(row) : 'none')
/** Of all columns, in the order of the statement. */
const shortHash = (row: Columns) =>
  hash(
    'sha256',
    JSON.stringify(Object.values(row).map((value) => (value === null ? null : String(value)))),
  ).slice(0, SHOWN_DIGITS)
