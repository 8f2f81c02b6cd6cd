import { ServiceError } from '../../../core/service-error.ts'
import { SECOND_MS } from '../../../core/time/time.ts'
import type { Database, Statements } from '../database.ts'
import { HOLD_TERM } from './leader-table.ts'
import type { Leadership } from './leadership.ts'

/** Shorter than a session may be silent: by the time another one may lead, a transaction that stands still is over. */
const IDLE_ACT_MS = 2 * SECOND_MS

/**
 * The same database for what only a leader may write: each write is a transaction that holds the term of its leader, and
 * is refused in any other. So what a leader sends who has been overtaken without noticing changes nothing.
 */
export function fenceDatabase(database: Database, { term }: Pick<Leadership, 'term'>): Database {
  const transaction = async <T>(work: (statements: Statements) => Promise<T>): Promise<T> => {
    const own = term()
    if (own === undefined) throw notLeading()
    return database.transaction(async (statements) => {
      if ((await statements.query(HOLD_TERM, [own, String(IDLE_ACT_MS)])).count === 0) throw notLeading()
      return work(statements)
    })
  }
  return {
    query: (sql, values) => transaction(({ query }) => query(sql, values)),
    exec: (sql) => transaction(({ exec }) => exec(sql)),
    transaction,
    close: database.close,
  }
}

/** An outage for whoever writes: they all know how to wait for the ledger. */
const notLeading = () =>
  new ServiceError('store_unavailable', 'another process may lead: nothing was written')
