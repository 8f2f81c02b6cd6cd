import type { DatabaseSync } from 'node:sqlite'
import type { Coin } from '../../../core/coin.ts'
import type { BotBook, BrokerName, DecisionRow } from '../../ports/bot-book.ts'
import type { Columns } from '../columns.ts'
import type { GroupCommit } from '../group-commit.ts'

type Decisions = Pick<BotBook, 'addDecision' | 'decisions' | 'decisionsOf'>

export function createSqliteDecisions(db: DatabaseSync, commit: GroupCommit): Decisions {
  const { isThere, insert } = prepareDecision(db)
  const newest = db.prepare('SELECT * FROM bot_decisions ORDER BY seq DESC LIMIT ? OFFSET ?')
  const ofWindow = db.prepare(
    'SELECT * FROM bot_decisions WHERE window_start_s = ? AND coin = ? ORDER BY attempt',
  )
  return {
    addDecision: (decision) =>
      commit.write(() => {
        if (isThere(decision)) return false
        insert(decision)
        return true
      }),
    decisions: ({ limit, offset }) => commit.read(() => newest.all(limit, offset).map(toDecision)),
    decisionsOf: (coin, windowStartS) => commit.read(() => ofWindow.all(windowStartS, coin).map(toDecision)),
  }
}

export function prepareDecision(db: DatabaseSync) {
  const isThere = db.prepare(
    'SELECT 1 FROM bot_decisions WHERE window_start_s = ? AND coin = ? AND attempt = ?',
  )
  const insert = db.prepare(`
    INSERT INTO bot_decisions (window_start_s, coin, attempt, at_ms, broker, action, reason, facts)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  `)
  return {
    isThere: ({ windowStartS, coin, attempt }: DecisionRow): boolean =>
      isThere.get(windowStartS, coin, attempt) !== undefined,
    insert(row: DecisionRow): void {
      const { windowStartS, coin, attempt, atMs, broker, action, reason, facts } = row
      insert.run(windowStartS, coin, attempt, atMs, broker, action, reason, facts)
    },
  }
}

/** Texts are cast where the table's own CHECK, or the only writer's type, allows no other. */
const toDecision = (row: Columns): DecisionRow => ({
  windowStartS: Number(row.window_start_s),
  coin: String(row.coin) as Coin,
  attempt: Number(row.attempt),
  atMs: Number(row.at_ms),
  broker: String(row.broker) as BrokerName,
  action: String(row.action) as DecisionRow['action'],
  reason: String(row.reason),
  facts: String(row.facts),
})
