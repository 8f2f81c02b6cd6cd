import type { DatabaseSync } from 'node:sqlite'
import { LOOKED_BACK, toMessage } from '../../message-row.ts'
import { REPEATED_MS, type WatercoolerBook } from '../../ports/watercooler-book.ts'
import type { Columns } from '../columns.ts'
import type { GroupCommit } from '../group-commit.ts'

export function createSqliteWatercooler(db: DatabaseSync, commit: GroupCommit): WatercoolerBook {
  const insert = db.prepare(
    'INSERT INTO community_messages (at_ms, author, message) VALUES (?, ?, ?) RETURNING *',
  )
  const find = db.prepare(`
    SELECT * FROM community_messages
    WHERE id > (SELECT max(id) FROM community_messages) - ${LOOKED_BACK} AND abs(:atMs - at_ms) < ${REPEATED_MS}
      AND author = :author AND message = :message
    ORDER BY id LIMIT 1
  `)
  const newest = db.prepare('SELECT * FROM community_messages ORDER BY id DESC LIMIT ?')
  const remove = db.prepare('DELETE FROM community_messages WHERE id = ? RETURNING *')
  return {
    add: ({ atMs, author, message }) =>
      commit.write(() => {
        const first = find.get({ atMs, author, message })
        const row = first ?? (insert.get(atMs, author, message) as Columns)
        return { row: toMessage(row), isRepeated: first !== undefined }
      }),
    newest: (limit) => commit.read(() => newest.all(limit).map(toMessage)),
    remove: (id) =>
      commit.write(() => {
        const row = remove.get(id)
        return row && toMessage(row)
      }),
  }
}
