import type { Level } from '../../core/level.ts'
import { createBookSide } from '../../feeds/books/book-side.ts'
import type { Trade } from '../../feeds/events.ts'
import type { DepthTick } from './tick.ts'

/** A book built from changes alone: it holds the levels that have changed since the recording began. */
export type DepthBook = {
  change(tick: DepthTick, atMs: number): void
  /** Takers pass no better price over: levels better than that of a trade are gone. */
  traded(price: number, side: Trade['side']): void
  /** The best levels of both sides after crossed ones are taken away. Undefined while the book has holes at its top. */
  read(): { bids: readonly Level[]; asks: readonly Level[] } | undefined
}

type Held = { price: number; size: number; atMs: number }

const LEVELS_READ = 20
/** Deeper ones are forgotten: they come again with their next change, long before the price gets there. */
const LEVELS_KEPT = 5_000
/** Our coins trade at spreads of at most a few bps: a wider one is of levels that were not seen yet. */
const SPREAD_MAX_BPS = 10

export function createDepthBook(): DepthBook {
  const bids = createBookSide<Held>('bids', LEVELS_KEPT)
  const asks = createBookSide<Held>('asks', LEVELS_KEPT)

  /** Of two levels that cannot both be there, the one that was heard of last is. */
  const uncross = () => {
    for (let [bid, ask] = [bids.best(), asks.best()]; bid && ask; [bid, ask] = [bids.best(), asks.best()]) {
      if (bid.price < ask.price) return
      if (bid.atMs <= ask.atMs) bids.dropBest()
      if (ask.atMs <= bid.atMs) asks.dropBest()
    }
  }
  return {
    change({ side, price, size }, atMs) {
      const levels = side === 'bid' ? bids : asks
      if (size === 0) levels.remove(price)
      else levels.set({ price, size, atMs })
    },
    traded(price, side) {
      const levels = side === 'buy' ? asks : bids
      for (let best = levels.best(); best && levels.isBetter(best.price, price); best = levels.best())
        levels.dropBest()
    },
    read() {
      uncross()
      const [bid, ask] = [bids.best(), asks.best()]
      if (!bid || !ask || (ask.price / bid.price - 1) * 10_000 > SPREAD_MAX_BPS) return undefined
      return { bids: bids.top(LEVELS_READ), asks: asks.top(LEVELS_READ) }
    },
  }
}
