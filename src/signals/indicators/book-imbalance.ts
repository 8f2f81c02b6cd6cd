import type { Book, Level } from '../../feeds/events.ts'
import { createTimeAverage } from './averages/time-average.ts'
import { isUsableBook, isUsableSize } from './usable-event.ts'

export type ImbalanceDepth = {
  levels: number
  timeConstantMs: number
  /** Its part in the blend. */
  weight: number
}

/** The best level changes many times a second and tells of the next seconds; deeper ones move slower. */
const DEPTHS: readonly ImbalanceDepth[] = [
  { levels: 1, timeConstantMs: 2_000, weight: 1 },
  { levels: 5, timeConstantMs: 10_000, weight: 1 },
  { levels: 10, timeConstantMs: 10_000, weight: 1 },
]

export type BookImbalance = {
  book(book: Book): void
  /** What was seen before is not joined with what comes after. */
  lost(): void
  /** Weighted mean of all depths, -1..1. Warm when the slowest of them is: 10 s after the first book. */
  read(nowMs: number): number | undefined
  /** One reading per depth in their order. Each is warm after its own time constant. */
  depths(nowMs: number): readonly (number | undefined)[]
}

/** Bid size less ask size in their sum, positive with more to buy. `depths` must rise in levels. */
export function createBookImbalance({ depths = DEPTHS } = {}): BookImbalance {
  const parts = depths.map((depth) => ({ ...depth, average: createTimeAverage(depth.timeConstantMs) }))
  const totalWeight = depths.reduce((sum, { weight }) => sum + weight, 0)
  if (!depths.every(({ levels }, at) => levels > (depths[at - 1]?.levels ?? 0)) || !(totalWeight > 0))
    throw new RangeError('depths must rise and have weight')

  const lost = () => {
    for (const { average } of parts) average.reset()
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
    read(nowMs) {
      let sum = 0
      for (const { average, weight } of parts) {
        const reading = average.read(nowMs)
        if (reading === undefined) return undefined
        sum += reading * weight
      }
      return sum / totalWeight
    },
    depths: (nowMs) => parts.map(({ average }) => average.read(nowMs)),
  }
}

function sizeAt(levels: readonly Level[], at: number): number {
  const size = levels[at]?.[1]
  return size !== undefined && isUsableSize(size) ? size : 0
}
