import { databaseName } from '../../core/addresses/database-address.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import type { Leadership } from '../../ledger/postgres/leader/leadership.ts'

/** Longer than a leader who has just been killed, or stands still, keeps his place. */
const WAIT_MS = 7 * SECOND_MS

/** Rejects where another process leads: a second one that does everything would trade and write the record too. */
export async function takeLead(leadership: Leadership, url: string): Promise<void> {
  if (await leadership.won(WAIT_MS)) return
  const name = databaseName(url)
  const leader = leadership.leader()
  throw new Error(
    leader
      ? `${leader.holder} serves from ${name} and leads, and two of the role all would both trade and write the record: stop that one first`
      : `${name} could not be asked who leads: it must be PostgreSQL 14 or newer, reached without a pooler that shares sessions`,
  )
}
