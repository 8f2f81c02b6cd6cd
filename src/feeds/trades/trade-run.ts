import type { Trade } from '../events.ts'

/** Over which time a pair's trades have no hole: from the first to the last of a run of ids that rise by one. */
export type TradeRun = {
  apply(trade: Pick<Trade, 'id' | 'atMs'>): void
  /** True if all trades from `fromMs` to before `toMs` are known: one before them, one after them, and all between. */
  covers(fromMs: number, toMs: number): boolean
}

export function createTradeRun(): TradeRun {
  let lastId = Number.NaN
  let firstMs = Number.NaN
  let lastMs = Number.NaN
  return {
    apply({ id, atMs }) {
      // Not back in time: what is missing may lie on either side of a trade that is older than the one before it.
      if (!(atMs <= lastMs)) lastMs = atMs
      if (id !== lastId + 1) firstMs = lastMs
      lastId = id
    },
    // The first trade of a run may share its millisecond with one that is missing.
    covers: (fromMs, toMs) => firstMs < fromMs && lastMs >= toMs,
  }
}
