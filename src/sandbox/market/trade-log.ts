import type { SimTrade } from './sim-events.ts'

/** The latest trades of one pair, by id. Ids are contiguous, so an id is an index. */
export type TradeLog = {
  push(trade: SimTrade): void
  /** Trades from `id` on, oldest first; those no longer kept are left out. */
  fromId(id: number, count: number): readonly SimTrade[]
  last(count: number): readonly SimTrade[]
  /** Trades from `sinceMs` to `untilMs`, both included, oldest first. */
  between(sinceMs: number, untilMs: number, count: number): readonly SimTrade[]
  readonly oldestId: number
  readonly newest: SimTrade | undefined
}

/** Enough to repair a gap of ten busy minutes. */
export const TRADES_KEPT = 6_000

export function createTradeLog(): TradeLog {
  const slots: (SimTrade | undefined)[] = new Array(TRADES_KEPT)
  let newest: SimTrade | undefined
  let size = 0
  const at = (id: number) => slots[id % TRADES_KEPT]
  const oldestId = () => (newest ? newest.id - size + 1 : 0)
  const fromId = (id: number, count: number) => {
    const found: SimTrade[] = []
    if (!newest) return found
    for (let next = Math.max(id, oldestId()); next <= newest.id && found.length < count; next++) {
      const trade = at(next)
      if (trade) found.push(trade)
    }
    return found
  }
  return {
    push(trade) {
      slots[trade.id % TRADES_KEPT] = trade
      newest = trade
      if (size < TRADES_KEPT) size++
    },
    fromId,
    last: (count) => (newest ? fromId(newest.id - count + 1, count) : []),
    between(sinceMs, untilMs, count) {
      let low = oldestId()
      let high = newest ? newest.id + 1 : low
      while (low < high) {
        const middle = Math.floor((low + high) / 2)
        if ((at(middle)?.atMs ?? 0) < sinceMs) low = middle + 1
        else high = middle
      }
      return fromId(low, count).filter((trade) => trade.atMs <= untilMs)
    },
    get oldestId() {
      return oldestId()
    },
    get newest() {
      return newest
    },
  }
}
