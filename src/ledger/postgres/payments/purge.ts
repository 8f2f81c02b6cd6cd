import type { Query } from '../database.ts'

/** Rows per statement: other writers get their turn. */
const CHUNK_ROWS = 500

/**
 * Walks from the oldest reply and stops at the first chunk in which every payment is newer than the bound, so that a
 * purge reads about as much as it removes. Unfinished rows keep their reply at any age.
 */
const PURGE = `
  WITH looked AS MATERIALIZED (
    SELECT p.seq, p.claimed_at_ms < $1 AS is_old,
      p.state IN ('settled', 'void') AND coalesce(p.settled_at_ms, p.claimed_at_ms) < $1 AS is_over
    FROM replies r JOIN payments p ON p.seq = r.payment WHERE r.payment > $2 ORDER BY r.payment LIMIT ${CHUNK_ROWS}
  ), removed AS (
    DELETE FROM replies WHERE payment IN (SELECT seq FROM looked WHERE is_over) RETURNING payment
  )
  SELECT (SELECT count(*) FROM removed) AS removed, max(seq) AS last, bool_or(is_old) AS has_old FROM looked`

export async function purgeReplies(query: Query, beforeMs: number): Promise<number> {
  let total = 0
  for (let after: number | undefined = 0; after !== undefined; ) {
    const [row = {}]: readonly Record<string, unknown>[] = (await query(PURGE, [beforeMs, after])).rows
    total += Number(row.removed)
    after = row.has_old === true ? Number(row.last) : undefined
  }
  return total
}
