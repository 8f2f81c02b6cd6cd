import type { TradeRow } from '../../ledger/ports/bot-book.ts'
import { compareTrades, hasTraded } from './trade-order.ts'

/** More than anybody may ask for: a trade that turns out to be none leaves the list, and no older one moves up. */
const CAPACITY = 200

export type RecentTrades = {
  /** New, or again with other figures. */
  put(trade: TradeRow): void
  /** Newest first. */
  last(limit: number): readonly TradeRow[]
}

/** The newest trades of one account, whatever order they come in. */
export function createRecentTrades(): RecentTrades {
  let newest: readonly TradeRow[] = []
  /** The newest of those that were dropped: what is older has no place any more. */
  let dropped: TradeRow | undefined
  return {
    put(trade) {
      if (dropped && compareTrades(trade, dropped) <= 0) return
      const others = newest.filter(({ conditionId }) => conditionId !== trade.conditionId)
      const all = hasTraded(trade) ? [...others, trade].sort((a, b) => compareTrades(b, a)) : others
      newest = all.slice(0, CAPACITY)
      dropped = all[CAPACITY] ?? dropped
    },
    last: (limit) => newest.slice(0, limit),
  }
}
