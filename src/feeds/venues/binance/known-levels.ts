import type { Level } from '../../../core/level.ts'
import { createOrderBook } from '../../books/order-book.ts'
import { BOOK_LEVELS } from '../venue-client.ts'
import { type DepthChange, type DepthSnapshot, SNAPSHOT_LEVELS } from './wire.ts'

/** Per side. A snapshot has 1,000, and changes add others between them. */
const MAX_LEVELS = 5_000
/** With fewer known levels left a new snapshot is due: enough to outlast the request for it. */
const FEW_LEVELS = 300

const SIDES = ['bids', 'asks'] as const

/** `few`: a new snapshot is due. `lost`: the levels that we hand on are not all known. */
export type Reach = 'enough' | 'few' | 'lost'

/**
 * A book that holds only what is known. Levels beyond the worst one of the snapshot come to us only when they change,
 * so there the book would have holes.
 */
export type KnownLevels = {
  load(snapshot: DepthSnapshot): void
  apply(change: DepthChange): void
  top(): { bids: readonly Level[]; asks: readonly Level[] }
  reach(): Reach
}

export function createKnownLevels(): KnownLevels {
  const book = createOrderBook({ maxLevels: MAX_LEVELS })
  /** The worst known price of each side; undefined if the whole side is known. */
  const edges: { bids: number | undefined; asks: number | undefined } = { bids: undefined, asks: undefined }

  const isKnown = (side: 'bids' | 'asks', price: number) => {
    const edge = edges[side]
    return edge === undefined || (side === 'bids' ? price >= edge : price <= edge)
  }
  return {
    load(snapshot) {
      book.load(snapshot.bids, snapshot.asks)
      for (const side of SIDES) {
        const prices = snapshot[side].map(([price]) => price)
        const worst = side === 'bids' ? Math.min(...prices) : Math.max(...prices)
        edges[side] = prices.length < SNAPSHOT_LEVELS ? undefined : worst
      }
    },
    apply(change) {
      for (const side of SIDES) {
        for (const level of change[side]) if (isKnown(side, level[0])) book.change(side, level)
        // A full book drops its worst levels.
        edges[side] = book.priceAt(side, MAX_LEVELS) ?? edges[side]
      }
    },
    top: () => book.top(BOOK_LEVELS),
    reach() {
      const isShort = (rank: number) =>
        SIDES.some((side) => edges[side] !== undefined && book.priceAt(side, rank) === undefined)
      if (isShort(BOOK_LEVELS)) return 'lost'
      return isShort(FEW_LEVELS) ? 'few' : 'enough'
    },
  }
}
