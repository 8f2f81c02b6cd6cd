import type { DatabaseSync } from 'node:sqlite'
import type { BotBook } from '../../ports/bot-book.ts'
import type { GroupCommit } from '../group-commit.ts'
import { createSqliteBossSignals, createSqliteSwitches } from './controls.ts'
import { createSqliteDecisions } from './decisions.ts'
import { createSqliteOrders } from './orders.ts'
import { createSqliteRedemptions } from './redemptions.ts'
import { createSqliteResolutions, createSqliteTrades } from './settlements.ts'

export function createSqliteBotBook(db: DatabaseSync, commit: GroupCommit): BotBook {
  return {
    ...createSqliteOrders(db, commit),
    ...createSqliteDecisions(db, commit),
    ...createSqliteResolutions(db, commit),
    ...createSqliteTrades(db, commit),
    ...createSqliteRedemptions(db, commit),
    ...createSqliteSwitches(db, commit),
    ...createSqliteBossSignals(db, commit),
  }
}
