import type { Level, Trade } from '../../feeds/events.ts'
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
/** Deeper ones are forgotten: the price has far to go before they are read, and they are told again with each change. */
const LEVELS_KEPT = 5_000
/** Our coins trade at spreads of at most a few bps: a wider one is of levels that were not seen yet. */
const SPREAD_MAX_BPS = 10

export function createDepthBook(): DepthBook {
  const bids = createSide(-1)
  const asks = createSide(1)

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

/** Levels with the best last, where most changes are. `sign` is 1 where lower prices are better. */
function createSide(sign: 1 | -1) {
  const levels: Held[] = []
  const isBetter = (price: number, than: number) => sign * (than - price) > 0
  /** Where `price` is or belongs. */
  const find = (price: number) => {
    let [low, high] = [0, levels.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBetter(price, levels[middle]?.price ?? price)) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    isBetter,
    best: () => levels.at(-1),
    dropBest: () => void levels.pop(),
    set(level: Held) {
      const at = find(level.price)
      levels.splice(at, levels[at]?.price === level.price ? 1 : 0, level)
      if (levels.length > LEVELS_KEPT) levels.shift()
    },
    remove(price: number) {
      const at = find(price)
      if (levels[at]?.price === price) levels.splice(at, 1)
    },
    top: (count: number): Level[] =>
      levels
        .slice(-count)
        .reverse()
        .map(({ price, size }) => [price, size]),
  }
}
