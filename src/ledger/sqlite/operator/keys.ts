import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../../core/time/clock.ts'
import { keyIsThere } from '../../operator-refusals.ts'
import type { OperatorBook, OperatorKeyRow } from '../../ports/operator-book.ts'
import { type Columns, findNumber } from '../columns.ts'
import type { GroupCommit } from '../group-commit.ts'
import { createLater } from '../later.ts'

type Keys = Pick<OperatorBook, 'addKey' | 'keys' | 'revokeKey' | 'noteUse'>

/** Distinct keys whose use waits to be written. Far more than anybody has; uses of others are not noted. */
const WAITING_MAX = 1_000

export function createSqliteKeys(
  db: DatabaseSync,
  commit: GroupCommit,
  clock: Clock,
): { book: Keys; close(): void } {
  const write = prepareWrites(db)
  let uses = new Map<string, number>()
  const note = (id: string, atMs: number) => {
    if (uses.has(id) || uses.size < WAITING_MAX) uses.set(id, Math.max(uses.get(id) ?? atMs, atMs))
  }
  const later = createLater(clock, async () => {
    const taken = [...uses]
    uses = new Map()
    if (taken.length === 0) return
    try {
      await commit.write(() => {
        for (const [id, atMs] of taken) write.use(id, atMs)
      })
    } catch (error) {
      for (const [id, atMs] of taken) note(id, atMs)
      throw error
    }
  })
  return {
    book: {
      addKey: (row) => commit.write(() => write.add(row)),
      async keys() {
        await later.run()
        return commit.read(() => readKeys(db))
      },
      revokeKey: (id, atMs) => commit.write(() => write.revoke(id, atMs)),
      noteUse(id, atMs) {
        note(id, atMs)
        later.plan()
      },
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

const toKey = (row: Columns): OperatorKeyRow => ({
  id: String(row.id),
  label: String(row.label),
  digest: String(row.digest),
  // The table's own CHECK allows no other words.
  scopes: String(row.scopes).split(' ').filter(Boolean) as OperatorKeyRow['scopes'],
  createdMs: Number(row.created_ms),
  lastUsedMs: findNumber(row.last_used_ms),
  revokedMs: findNumber(row.revoked_ms),
})
