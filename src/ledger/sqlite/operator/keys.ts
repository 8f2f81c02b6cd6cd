import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../../core/time/clock.ts'
import { createKeyUses } from '../../operator/key-uses.ts'
import { toKey } from '../../operator/operator-rows.ts'
import { keyIsThere } from '../../operator-refusals.ts'
import type { OperatorBook, OperatorKeyRow } from '../../ports/operator-book.ts'
import type { GroupCommit } from '../group-commit.ts'

type Keys = Pick<OperatorBook, 'addKey' | 'keys' | 'revokeKey' | 'noteUse'>

export function createSqliteKeys(
  db: DatabaseSync,
  commit: GroupCommit,
  clock: Clock,
): { book: Keys; close(): void } {
  const write = prepareWrites(db)
  const { note, later } = createKeyUses(clock, (uses) =>
    commit.write(() => {
      for (const [id, atMs] of uses) write.use(id, atMs)
    }),
  )
  return {
    book: {
      addKey: (row) => commit.write(() => write.add(row)),
      async keys() {
        await later.run()
        return commit.read(() => readKeys(db))
      },
      revokeKey: (id, atMs) => commit.write(() => write.revoke(id, atMs)),
      noteUse: note,
    },
    close: later.close,
  }
}

/** Oldest first, also from a ledger that is only looked at. */
export const readKeys = (db: DatabaseSync): OperatorKeyRow[] =>
  db.prepare('SELECT * FROM operator_keys ORDER BY seq').all().map(toKey)

function prepareWrites(db: DatabaseSync) {
  const isThere = db.prepare('SELECT 1 FROM operator_keys WHERE id = ? OR digest = ?')
  const insert = db.prepare(
    'INSERT INTO operator_keys (id, label, digest, scopes, created_ms) VALUES (?, ?, ?, ?, ?)',
  )
  const revoke = db.prepare(
    'UPDATE operator_keys SET revoked_ms = :atMs WHERE id = :id AND (revoked_ms IS NULL OR revoked_ms > :atMs)',
  )
  const use = db.prepare(
    'UPDATE operator_keys SET last_used_ms = max(coalesce(last_used_ms, :atMs), :atMs) WHERE id = :id',
  )
  return {
    add({ id, label, digest, scopes, createdMs }: Parameters<OperatorBook['addKey']>[0]): void {
      if (isThere.get(id, digest)) throw keyIsThere(id)
      insert.run(id, label, digest, scopes.join(' '), createdMs)
    },
    revoke: (id: string, atMs: number): boolean => revoke.run({ id, atMs }).changes === 1,
    use: (id: string, atMs: number): void => void use.run({ id, atMs }),
  }
}
