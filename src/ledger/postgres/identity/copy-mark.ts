import { TEXT } from '../basic-tables.ts'
import type { Query } from '../database.ts'

/** Has a row from before the first row of another ledger comes in until the last one is there and was checked. */
export const COPYING = `
  CREATE TABLE ledger_copying (
    one integer PRIMARY KEY CHECK (one = 1),
    ledger_id ${TEXT} NOT NULL,
    source ${TEXT} NOT NULL,
    began_ms bigint NOT NULL
  );
`

/** A copy that was begun: of which ledger, and where that is. */
export type Copying = { ledgerId: string; source: string }

export async function findCopying(query: Query): Promise<Copying | undefined> {
  const [row] = (await query('SELECT ledger_id, source FROM ledger_copying')).rows
  return row && { ledgerId: String(row.ledger_id), source: String(row.source) }
}

const MARK = `
  INSERT INTO ledger_copying VALUES (1, $1, $2, $3)
  ON CONFLICT (one) DO UPDATE SET source = excluded.source, began_ms = excluded.began_ms`

export async function markCopying(query: Query, { ledgerId, source }: Copying, nowMs: number): Promise<void> {
  await query(MARK, [ledgerId, source, nowMs])
}

export async function unmarkCopying(query: Query): Promise<void> {
  await query('DELETE FROM ledger_copying')
}
