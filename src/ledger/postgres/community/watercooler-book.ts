import { toMessage } from '../../message-row.ts'
import type { WatercoolerBook } from '../../ports/watercooler-book.ts'
import type { Database } from '../database.ts'

const ADD = 'SELECT (said).*, is_repeated FROM add_message($1, $2, $3)'
const NEWEST = 'SELECT * FROM community_messages ORDER BY id DESC LIMIT $1'
const REMOVE = 'DELETE FROM community_messages WHERE id = $1 RETURNING *'

export function createPostgresWatercooler({ query }: Database): WatercoolerBook {
  return {
    async add({ atMs, author, message }) {
      const { rows } = await query(ADD, [atMs, Buffer.from(author), Buffer.from(message)])
      const row = rows[0] ?? {}
      return { row: toMessage(row), isRepeated: row.is_repeated === true }
    },
    newest: async (limit) => (await query(NEWEST, [limit])).rows.map(toMessage),
    async remove(id) {
      const [row] = (await query(REMOVE, [id])).rows
      return row && toMessage(row)
    },
  }
}
