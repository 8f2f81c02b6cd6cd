import type { DatabaseSync } from 'node:sqlite'
import type { PaymentBookQueries } from '../ports/payment-book-queries.ts'
import type { GroupCommit } from './group-commit.ts'

/** Rows per transaction: a few milliseconds of work, then other writers get their turn. */
const CHUNK_ROWS = 500

/**
 * Walks from the oldest reply and stops at the first chunk in which every payment is newer than the bound, so that a
 * purge reads about as much as it removes. Unfinished rows keep their reply at any age.
 */
export function createSqlitePurge(db: DatabaseSync, commit: GroupCommit): PaymentBookQueries['purgeReplies'] {
  const look = db.prepare(`
    SELECT p.seq, p.claimed_at_ms < :beforeMs AS is_old,
      p.state IN ('settled', 'void') AND coalesce(p.settled_at_ms, p.claimed_at_ms) < :beforeMs AS is_over
    FROM replies r JOIN payments p ON p.seq = r.payment
    WHERE r.payment > :after ORDER BY r.payment LIMIT ${CHUNK_ROWS}
  `)
  const forget = db.prepare('DELETE FROM replies WHERE payment = ?')
  const purgeChunk = (beforeMs: number, after: number) => {
    const rows = look.all({ beforeMs, after })
    const over = rows.filter((row) => row.is_over === 1)
    for (const row of over) forget.run(Number(row.seq))
    const last = rows.some((row) => row.is_old === 1) ? rows.at(-1) : undefined
    return { removed: over.length, next: last && Number(last.seq) }
  }
  return async (beforeMs) => {
    let total = 0
    for (let after: number | undefined = 0; after !== undefined; ) {
      const from: number = after
      const { removed, next } = await commit.write(() => purgeChunk(beforeMs, from))
      total += removed
      after = next
    }
    return total
  }
}
