import type { DatabaseSync } from 'node:sqlite'
import type { DemoCounters } from '../ports/store.ts'
import type { GroupCommit } from './group-commit.ts'

export function createSqliteDemoCounters(db: DatabaseSync, commit: GroupCommit): DemoCounters {
  const select = db.prepare('SELECT client, used FROM demo_calls WHERE day = ?')
  const forget = db.prepare('DELETE FROM demo_calls WHERE day < ?')
  const upsert = db.prepare(`
    INSERT INTO demo_calls (day, client, used) VALUES (?, ?, ?)
    ON CONFLICT (day, client) DO UPDATE SET used = excluded.used
  `)
  return {
    load: (day) =>
      commit.write(() => {
        forget.run(day)
        return new Map(select.all(day).map((row) => [String(row.client), Number(row.used)]))
      }),
    async save(day, used) {
      const counts = [...used]
      await commit.write(() => {
        for (const [client, count] of counts) upsert.run(day, client, count)
      })
    },
  }
}
