import type { Trade } from '../../feeds/events.ts'
import { createDecayedSum } from './averages/decayed-sum.ts'
import { lackOfTrades } from './lack-of-trades.ts'
import { isUsableTrade } from './usable-event.ts'

const TIME_CONSTANT_MS = 30_000
/** A lower decayed count of changes is taken for this one: the direction of a few ticks is not a trend. */
const MIN_CHANGES = 3

export type TickMomentum = {
  trade(trade: Trade): void
  /** Trades before are not summed with trades after. */
  reset(): void
  /**
   * Share of up-ticks less share of down-ticks, -1..1, and 0 for a price that does not move. Undefined until trades are
   * known of one time constant.
   */
  read(nowMs: number): number | undefined
  whyUnknown(nowMs: number): string | undefined
}

/** A trade at the price of the one before is no tick. */
export function createTickMomentum({ timeConstantMs = TIME_CONSTANT_MS } = {}): TickMomentum {
  const directions = createDecayedSum(timeConstantMs)
  const changes = createDecayedSum(timeConstantMs)
  let firstMs = Number.NaN
  let lastPrice = Number.NaN

  const whyUnknown = (nowMs: number) => lackOfTrades(firstMs, nowMs, timeConstantMs)
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
    reset() {
      directions.reset()
      changes.reset()
      firstMs = Number.NaN
    },
    read(nowMs) {
      if (whyUnknown(nowMs) !== undefined) return undefined
      return directions.read(nowMs) / Math.max(changes.read(nowMs), MIN_CHANGES)
    },
    whyUnknown,
  }
}
