import { toDecision } from '../../bot-rows/control-rows.ts'
import type { BotBook, DecisionRow } from '../../ports/bot-book.ts'
import type { Database, Query } from '../database.ts'

type Decisions = Pick<BotBook, 'addDecision' | 'decisions' | 'decisionsOf'>

const COLUMNS = 'window_start_s, coin, attempt, at_ms, broker, action, reason, facts'
const INSERT = `
  INSERT INTO bot_decisions (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (window_start_s, coin, attempt) DO NOTHING`
const NEWEST = `SELECT ${COLUMNS} FROM bot_decisions ORDER BY seq DESC LIMIT $1 OFFSET $2`
const OF_WINDOW = `SELECT ${COLUMNS} FROM bot_decisions WHERE window_start_s = $1 AND coin = $2 ORDER BY attempt`

export function createPostgresDecisions({ query }: Database): Decisions {
  return {
    addDecision: (decision) => insertDecision(query, decision),
    decisions: async ({ limit, offset }) => (await query(NEWEST, [limit, offset])).rows.map(toDecision),
    decisionsOf: async (coin, windowStartS) =>
      (await query(OF_WINDOW, [windowStartS, coin])).rows.map(toDecision),
  }
}

/** False where there is one. */
export async function insertDecision(query: Query, row: DecisionRow): Promise<boolean> {
  const { windowStartS, coin, attempt, atMs, broker, action, reason, facts } = row
  return (await query(INSERT, [windowStartS, coin, attempt, atMs, broker, action, reason, facts])).count === 1
}
