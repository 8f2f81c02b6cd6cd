import type { BotBook } from '../../ports/bot-book.ts'
import type { Database } from '../database.ts'
import { createPostgresBossSignals, createPostgresSwitches } from './controls.ts'
import { createPostgresDecisions } from './decisions.ts'
import { createPostgresOrders } from './orders.ts'
import { createPostgresRedemptions } from './redemptions.ts'
import { createPostgresResolutions, createPostgresTrades } from './settlements.ts'

export function createPostgresBotBook(database: Database): BotBook {
  return {
    ...createPostgresOrders(database),
    ...createPostgresDecisions(database),
    ...createPostgresResolutions(database),
    ...createPostgresTrades(database),
    ...createPostgresRedemptions(database),
    ...createPostgresSwitches(database),
    ...createPostgresBossSignals(database),
  }
}
