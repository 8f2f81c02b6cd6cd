import type { Level } from '../../core/level.ts'
import type { Book } from '../../feeds/events.ts'
import { createTimeAverage } from './averages/time-average.ts'
import { isUsableBook, isUsableSize } from './usable-event.ts'

export type ImbalanceDepth = {
  levels: number
  timeConstantMs: number
  weight: number
}

/** The best level changes many times a second and says something about the next seconds; deeper ones move slower. */
const DEPTHS: readonly ImbalanceDepth[] = [
  { levels: 1, timeConstantMs: 2_000, weight: 1 },
  { levels: 5, timeConstantMs: 10_000, weight: 1 },
  { levels: 10, timeConstantMs: 10_000, weight: 1 },
]
const NO_BOOK = 'the order book is not known yet, or is being read again'

export type BookImbalance = {
  book(book: Book): void
  /** Books before are not averaged with books after. */
  lost(): void
  /** Weighted mean of all depths, -1..1. Defined from the first book on, then over the short time since. */
  read(nowMs: number): number | undefined
  whyUnknown(nowMs: number): string | undefined
  /** One reading per depth in their order. */
  depths(nowMs: number): readonly (number | undefined)[]
}

/** Bid size less ask size over their sum: positive when more is bid. `depths` must rise in levels. */
export function createBookImbalance({ depths = DEPTHS } = {}): BookImbalance {
  const parts = depths.map((depth) => ({ ...depth, average: createTimeAverage(depth.timeConstantMs) }))
  const totalWeight = depths.reduce((sum, { weight }) => sum + weight, 0)
  if (!depths.every(({ levels }, at) => levels > (depths[at - 1]?.levels ?? 0)) || !(totalWeight > 0))
    throw new RangeError('depths must rise and have weight')

  const lost = () => {
    for (const { average } of parts) average.reset()
  }
  const read = (nowMs: number) => {
    let sum = 0
    for (const { average, weight } of parts) {
      const reading = average.read(nowMs)
      if (reading === undefined) return undefined
      sum += reading * weight
    }
    return sum / totalWeight
  }
  return {
    book(book) {
      if (!isUsableBook(book)) return lost()
      let bid = 0
      let ask = 0
      let level = 0
      for (const { levels, average } of parts) {
        for (; level < levels; level++) {
          bid += sizeAt(book.bids, level)
          ask += sizeAt(book.asks, level)
        }
        average.set((bid - ask) / (bid + ask), book.atMs)
      }
    },
    lost,
    read,
    whyUnknown: (nowMs) => (read(nowMs) === undefined ? NO_BOOK : undefined),
    depths: (nowMs) => parts.map(({ average }) => average.read(nowMs)),
  }
}

function sizeAt(levels: readonly Level[], at: number): number {
  const size = levels[at]?.[1]
  return size !== undefined && isUsableSize(size) ? size : 0
}
