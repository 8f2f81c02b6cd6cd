import type { Clock } from '../../../core/time/clock.ts'
import { createKeyUses } from '../../operator/key-uses.ts'
import { toKey } from '../../operator/operator-rows.ts'
import { keyIsThere } from '../../operator-refusals.ts'
import type { OperatorBook } from '../../ports/operator-book.ts'
import type { Database } from '../database.ts'

type Keys = Pick<OperatorBook, 'addKey' | 'keys' | 'revokeKey' | 'noteUse'>

const ADD = `
  INSERT INTO operator_keys (id, label, digest, scopes, created_ms) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT DO NOTHING`
const KEYS = 'SELECT * FROM operator_keys ORDER BY seq'
const REVOKE = `
  UPDATE operator_keys SET revoked_ms = $2 WHERE id = $1 AND (revoked_ms IS NULL OR revoked_ms > $2)`
/** In one order, so that two processes never wait for each other. */
const USE = `
  WITH used AS MATERIALIZED (
    SELECT k.seq, given.at_ms FROM operator_keys k
    JOIN unnest($1::text[], $2::bigint[]) AS given (id, at_ms) ON given.id = k.id
    ORDER BY k.seq FOR UPDATE OF k
  )
  UPDATE operator_keys k SET last_used_ms = greatest(k.last_used_ms, used.at_ms) FROM used WHERE k.seq = used.seq`

export function createPostgresKeys(
  { query }: Database,
  clock: Clock,
): { book: Keys; close(): Promise<void> } {
  const { note, later } = createKeyUses(clock, (uses) =>
    query(USE, [uses.map(([id]) => id), uses.map(([, atMs]) => atMs)]),
  )
  return {
    book: {
      async addKey({ id, label, digest, scopes, createdMs }) {
        const added = await query(ADD, [id, label, digest, scopes.join(' '), createdMs])
        if (added.count === 0) throw keyIsThere(id)
      },
      async keys() {
        await later.run()
        return (await query(KEYS)).rows.map(toKey)
      },
      revokeKey: async (id, atMs) => (await query(REVOKE, [id, atMs])).count === 1,
      noteUse: note,
    },
    close: later.close,
  }
}
