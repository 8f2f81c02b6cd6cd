import type { Level } from '../../core/level.ts'
import { createBookSide } from './book-side.ts'

/** A venue's book: its snapshot with the changes since applied. */
export type OrderBook = {
  /** Replaces both sides. */
  load(bids: readonly Level[], asks: readonly Level[]): void
  /** Sets the size at a price. 0 removes the level, if it is known. */
  change(side: 'bids' | 'asks', level: Level): void
  /** The best `count` levels of each side, best first. */
  top(count: number): { bids: readonly Level[]; asks: readonly Level[] }
  /** The price of the level at `rank`, 1 being the best; undefined if there are fewer. */
  priceAt(side: 'bids' | 'asks', rank: number): number | undefined
}

export function createOrderBook({ maxLevels }: { maxLevels: number }): OrderBook {
  const sides = { bids: createBookSide('bids', maxLevels), asks: createBookSide('asks', maxLevels) }
  return {
    load(bids, asks) {
      sides.bids.load(toSideLevels(bids))
      sides.asks.load(toSideLevels(asks))
    },
    change(side, [price, size]) {
      if (size === 0) sides[side].remove(price)
      else sides[side].set({ price, size })
    },
    top: (count) => ({ bids: sides.bids.top(count), asks: sides.asks.top(count) }),
    priceAt: (side, rank) => sides[side].priceAt(rank),
  }
}

function toSideLevels(levels: readonly Level[]) {
  return levels.flatMap(([price, size]) => (size === 0 ? [] : { price, size }))
}
