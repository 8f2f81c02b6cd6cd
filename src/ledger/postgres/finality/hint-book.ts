import type { HintBook } from '../../ports/hint-book.ts'
import type { Database } from '../database.ts'

const KEEP = `
  INSERT INTO settle_hints SELECT seq, $2 FROM payments WHERE key = $1 AND state = 'settling'
  ON CONFLICT (payment) DO UPDATE SET tx = excluded.tx`
const FORGET = "DELETE FROM settle_hints h USING payments p WHERE p.seq = h.payment AND p.state <> 'settling'"
const OPEN =
  "SELECT p.key, h.tx FROM settle_hints h JOIN payments p ON p.seq = h.payment WHERE p.state = 'settling'"

export function createPostgresHintBook({ query }: Database): HintBook {
  return {
    keep: async (key, transaction) => void (await query(KEEP, [key, transaction])),
    async load() {
      await query(FORGET)
      return new Map((await query(OPEN)).rows.map((row) => [String(row.key), String(row.tx)]))
    },
  }
}
