import type { DemoCounters } from '../ports/store.ts'
import type { Database } from './database.ts'

const FORGET = 'DELETE FROM demo_calls WHERE day < $1'
const SELECT = 'SELECT client, used FROM demo_calls WHERE day = $1'
/** In the order of their clients, so that two processes never wait for each other. */
const SAVE = `
  INSERT INTO demo_calls (day, client, used)
  SELECT $1, * FROM unnest($2::text[], $3::bigint[]) AS given (client, used) ORDER BY client
  ON CONFLICT (day, client) DO UPDATE SET used = excluded.used`

export function createPostgresDemoCounters({ query }: Database): DemoCounters {
  return {
    async load(day) {
      await query(FORGET, [day])
      const { rows } = await query(SELECT, [day])
      return new Map(rows.map((row) => [String(row.client), Number(row.used)]))
    },
    async save(day, used) {
      await query(SAVE, [day, [...used.keys()], [...used.values()]])
    },
  }
}
