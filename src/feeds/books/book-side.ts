import type { Level } from '../../core/level.ts'

export type SideLevel = { price: number; size: number }

/** One side of a book, sorted by price. */
export type BookSide<L extends SideLevel = SideLevel> = {
  best(): L | undefined
  /** The best `count` levels, best first. */
  top(count: number): Level[]
  /** The price of the level at `rank`, 1 being the best; undefined if there are fewer. */
  priceAt(rank: number): number | undefined
  set(level: L): void
  remove(price: number): void
  dropBest(): void
  /** Replaces everything. Of two levels at one price the later one counts. */
  load(levels: readonly L[]): void
  isBetter(price: number, than: number): boolean
}

/** Keeps at most `maxLevels`, the worst go first. */
export function createBookSide<L extends SideLevel = SideLevel>(
  side: 'bids' | 'asks',
  maxLevels: number,
): BookSide<L> {
  // Worst first: most changes are near the best price, where a splice moves little.
  let levels: L[] = []
  const isBetter = side === 'bids' ? isHigher : isLower
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
    top: (count) =>
      levels
        .slice(-count)
        .reverse()
        .map(({ price, size }) => [price, size]),
    priceAt: (rank) => levels.at(-rank)?.price,
    set(level) {
      const at = find(level.price)
      levels.splice(at, levels[at]?.price === level.price ? 1 : 0, level)
      if (levels.length > maxLevels) levels.shift()
    },
    remove(price) {
      const at = find(price)
      if (levels[at]?.price === price) levels.splice(at, 1)
    },
    dropBest: () => void levels.pop(),
    load(fresh) {
      // Venues send the best first. A snapshot has tens of thousands of levels: those in order are not sorted again.
      const isOrdered = fresh.every(({ price }, at) =>
        isBetter((fresh[at - 1] ?? NOTHING[side]).price, price),
      )
      const sorted = isOrdered ? fresh.toReversed() : sortedOf(fresh, isBetter)
      levels = sorted.length > maxLevels ? sorted.slice(-maxLevels) : sorted
    },
  }
}

/** Better than any price. */
const NOTHING = { bids: { price: Number.POSITIVE_INFINITY }, asks: { price: Number.NEGATIVE_INFINITY } }

/** Worst first. */
function sortedOf<L extends SideLevel>(levels: readonly L[], isBetter: BookSide['isBetter']): L[] {
  const sorted = [...new Map(levels.map((level) => [level.price, level])).values()]
  return sorted.sort((a, b) => (isBetter(b.price, a.price) ? -1 : 1))
}

function isHigher(price: number, than: number): boolean {
  return price > than
}

function isLower(price: number, than: number): boolean {
  return price < than
}
