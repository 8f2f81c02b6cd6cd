import type { BotBook } from '../../../ledger/ports/bot-book.ts'
import type { Commit } from '../commit.ts'
import type { MemoryBotRows } from './memory-bot-rows.ts'
import { createMemoryControls } from './memory-controls.ts'
import { createMemoryOrders } from './memory-orders.ts'
import { createMemorySettlements } from './memory-settlements.ts'

/** A bot book for simulations. A new one with the same `rows` is the book after a restart. */
export function createMemoryBotBook(rows: MemoryBotRows, commit: Commit = async (apply) => apply()): BotBook {
  return {
    ...createMemoryOrders(rows, commit),
    ...createMemorySettlements(rows, commit),
    ...createMemoryControls(rows, commit),
  }
}
