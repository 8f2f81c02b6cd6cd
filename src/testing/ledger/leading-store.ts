import { type Clock, systemClock } from '../../core/time/clock.ts'
import type { Store } from '../../ledger/ports/store.ts'
import { openLedgerDatabase } from '../../ledger/postgres/open-ledger.ts'
import { createPostgresStore } from '../../ledger/postgres/store.ts'

const FIRST_TERM = "INSERT INTO leader VALUES (1, 1, 'test', now()) ON CONFLICT DO NOTHING"

/** A ledger on PostgreSQL whose every book can be written. Each that is opened on one database is the leader of its first term. */
export async function openLeadingStore(url: string, clock: Clock = systemClock): Promise<Store> {
  const database = await openLedgerDatabase(url)
  await database.query(FIRST_TERM)
  return createPostgresStore(database, clock, { term: () => 1 })
}
