import type { Trade } from '../../feeds/events.ts'
import { createDecayedSum } from './averages/decayed-sum.ts'
import { lackOfTrades } from './lack-of-trades.ts'
import { isUsableTrade } from './usable-event.ts'

/** A decayed sum weighs as much as a plain window of this length. */
const TIME_CONSTANT_MS = 60_000
/** After so many time constants without a trade less than 1 % of the sums is left: the ratio says nothing about now. */
const SILENT_AFTER_TIME_CONSTANTS = 5
const SILENT = 'the last trade is too long ago'

export type AggressorRatio = {
  trade(trade: Trade): void
  /** Trades before are not summed with trades after. */
  reset(): void
  /**
   * Taker-buy volume over all volume, 0..1. Undefined until trades are known of one time constant, and after five
   * without a trade.
   */
  read(nowMs: number): number | undefined
  whyUnknown(nowMs: number): string | undefined
}

export function createAggressorRatio({ timeConstantMs = TIME_CONSTANT_MS } = {}): AggressorRatio {
  const bought = createDecayedSum(timeConstantMs)
  const traded = createDecayedSum(timeConstantMs)
  let firstMs = Number.NaN
  let newestMs = Number.NEGATIVE_INFINITY

  const whyUnknown = (nowMs: number) => {
    const lack = lackOfTrades(firstMs, nowMs, timeConstantMs)
    if (lack !== undefined) return lack
    const isSilent = nowMs - newestMs > SILENT_AFTER_TIME_CONSTANTS * timeConstantMs
    return isSilent || traded.read(nowMs) === 0 ? SILENT : undefined
  }
  return {
    trade(trade) {
      if (!isUsableTrade(trade)) return
      const { size, side, atMs } = trade
      if (Number.isNaN(firstMs)) firstMs = atMs
      if (atMs > newestMs) newestMs = atMs
      bought.add(side === 'buy' ? size : 0, atMs)
      traded.add(size, atMs)
    },
    reset() {
      bought.reset()
      traded.reset()
      firstMs = Number.NaN
      newestMs = Number.NEGATIVE_INFINITY
    },
    read(nowMs) {
      return whyUnknown(nowMs) === undefined ? bought.read(nowMs) / traded.read(nowMs) : undefined
    },
    whyUnknown,
  }
}
