import type { Trade } from '../../feeds/events.ts'
import { createDecayedSum } from './averages/decayed-sum.ts'
import { isUsableTrade } from './usable-event.ts'

/** Weighs as much as a window of 60 s would. */
const TIME_CONSTANT_MS = 60_000
/** After so many time constants without a trade less than 1 % of it is left, and the share says nothing of now. */
const SILENT_AFTER_TIME_CONSTANTS = 5

export type AggressorRatio = {
  trade(trade: Trade): void
  /**
   * Taker-buy volume in all volume, 0..1. Warm once trades have been seen for one time constant; undefined also
   * after five of them without a trade.
   */
  read(nowMs: number): number | undefined
}

export function createAggressorRatio({ timeConstantMs = TIME_CONSTANT_MS } = {}): AggressorRatio {
  const bought = createDecayedSum(timeConstantMs)
  const traded = createDecayedSum(timeConstantMs)
  let firstMs = Number.NaN
  let newestMs = Number.NEGATIVE_INFINITY

  return {
    trade(trade) {
      if (!isUsableTrade(trade)) return
      const { size, side, atMs } = trade
      if (Number.isNaN(firstMs)) firstMs = atMs
      if (atMs > newestMs) newestMs = atMs
      bought.add(side === 'buy' ? size : 0, atMs)
      traded.add(size, atMs)
    },
    read(nowMs) {
      if (!(nowMs - firstMs >= timeConstantMs)) return undefined
      if (nowMs - newestMs > SILENT_AFTER_TIME_CONSTANTS * timeConstantMs) return undefined
      const volume = traded.read(nowMs)
      return volume > 0 ? bought.read(nowMs) / volume : undefined
    },
  }
}
