import type { Trade } from '../../feeds/events.ts'
import { createDecayedSum } from './averages/decayed-sum.ts'
import { isUsableTrade } from './usable-event.ts'

const TIME_CONSTANT_MS = 30_000
/** Decayed count below which the direction of a few last ticks would be read as a trend. */
const MIN_CHANGES = 3

export type TickMomentum = {
  trade(trade: Trade): void
  /**
   * Share of up-ticks less share of down-ticks, -1..1. Warm once trades have been seen for one time constant;
   * undefined also while fewer than three recent price changes are left in it.
   */
  read(nowMs: number): number | undefined
}

/** A trade at the price of the one before is no tick and counts for nothing. */
export function createTickMomentum({ timeConstantMs = TIME_CONSTANT_MS } = {}): TickMomentum {
  const directions = createDecayedSum(timeConstantMs)
  const changes = createDecayedSum(timeConstantMs)
  let firstMs = Number.NaN
  let lastPrice = Number.NaN

  return {
    trade(trade) {
      if (!isUsableTrade(trade)) return
      const { price, atMs } = trade
      if (Number.isNaN(firstMs)) {
        firstMs = atMs
      } else if (price !== lastPrice) {
        directions.add(price > lastPrice ? 1 : -1, atMs)
        changes.add(1, atMs)
      }
      lastPrice = price
    },
    read(nowMs) {
      if (!(nowMs - firstMs >= timeConstantMs)) return undefined
      const count = changes.read(nowMs)
      return count < MIN_CHANGES ? undefined : directions.read(nowMs) / count
    },
  }
}
