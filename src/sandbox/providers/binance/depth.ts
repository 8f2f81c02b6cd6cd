import type { SimBookDiff, SimLevel } from '../../market/sim-events.ts'

/** Collects the diffs of one pair into the slower `@depth` stream: one message a second. */
export type DepthBuffer = { add(diff: SimBookDiff): void; take(atMs: number): SimBookDiff | undefined }

export function createDepthBuffer(): DepthBuffer {
  let first: SimBookDiff | undefined
  let lastUpdateId = 0
  const bids = new Map<number, SimLevel>()
  const asks = new Map<number, SimLevel>()
  return {
    add(diff) {
      first ??= diff
      lastUpdateId = diff.lastUpdateId
      // A later change of a level replaces the earlier one: at most one entry per price.
      for (const level of diff.bids) bids.set(level[0], level)
      for (const level of diff.asks) asks.set(level[0], level)
    },
    take(atMs) {
      if (!first) return undefined
      const { firstUpdateId } = first
      const merged = { ...first, bids: [...bids.values()], asks: [...asks.values()] }
      first = undefined
      bids.clear()
      asks.clear()
      return { ...merged, firstUpdateId, lastUpdateId, atMs }
    },
  }
}
