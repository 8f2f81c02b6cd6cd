import type { DatabaseSync } from 'node:sqlite'
import { toDecision } from '../../bot-rows/control-rows.ts'
import type { BotBook, DecisionRow } from '../../ports/bot-book.ts'
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
