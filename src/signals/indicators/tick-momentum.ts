import type { Trade } from '../../feeds/events.ts'
import { createDecayedSum } from './averages/decayed-sum.ts'
import { lackOfTrades } from './lack-of-trades.ts'
import { isUsableTrade } from './usable-event.ts'

const TIME_CONSTANT_MS = 30_000
/** With a lower decayed count, the direction of the last few ticks would be read as a trend. */
const MIN_CHANGES = 3
const QUIET = 'the price has hardly changed in the last half minute'

export type TickMomentum = {
  trade(trade: Trade): void
  /**
   * Share of up-ticks less share of down-ticks, -1..1. Undefined until trades are known of one time constant, and
   * with fewer than three recent price changes.
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

  const whyUnknown = (nowMs: number) =>
    lackOfTrades(firstMs, nowMs, timeConstantMs) ?? (changes.read(nowMs) < MIN_CHANGES ? QUIET : undefined)
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
      return whyUnknown(nowMs) === undefined ? directions.read(nowMs) / changes.read(nowMs) : undefined
    },
    whyUnknown,
  }
}
