import type { DatabaseSync } from 'node:sqlite'
import type { HintBook } from '../../ports/hint-book.ts'
import type { GroupCommit } from '../group-commit.ts'

export function createSqliteHintBook(db: DatabaseSync, commit: GroupCommit): HintBook {
  const keep = db.prepare(`
    INSERT INTO settle_hints SELECT seq, ? FROM payments WHERE key = ? AND state = 'settling'
    ON CONFLICT DO UPDATE SET tx = excluded.tx`)
  const open = db.prepare(
    "SELECT p.key, h.tx FROM settle_hints h JOIN payments p ON p.seq = h.payment WHERE p.state = 'settling'",
  )
  const forget = db.prepare(
    "DELETE FROM settle_hints WHERE (SELECT state FROM payments WHERE seq = payment) <> 'settling'",
  )
  return {
    keep: (key, transaction) => commit.write(() => void keep.run(transaction, key)),
    load: () =>
      commit.write(() => {
        forget.run()
        return new Map(open.all().map((row) => [String(row.key), String(row.tx)]))
      }),
  }
}
