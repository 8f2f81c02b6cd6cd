import type { Trade } from '../../feeds/events.ts'
import { createDecayedSum } from './averages/decayed-sum.ts'
import { isUsableTrade } from './usable-event.ts'

const FAST_MS = 60_000
const SLOW_MS = 3_600_000
/** Before that the usual level is little else than the newest minutes themselves. */
const WARM_AFTER_MS = 300_000

export type VolumeSpike = {
  trade(trade: Trade): void
  /** Volume a minute of about the last minute over that of about the last hour. Warm five minutes after the first trade. */
  read(nowMs: number): number | undefined
}

export function createVolumeSpike({
  fastMs = FAST_MS,
  slowMs = SLOW_MS,
  warmAfterMs = WARM_AFTER_MS,
} = {}): VolumeSpike {
  const fast = createDecayedSum(fastMs)
  const slow = createDecayedSum(slowMs)
  let firstMs = Number.NaN

  return {
    trade(trade) {
      if (!isUsableTrade(trade)) return
      if (Number.isNaN(firstMs)) firstMs = trade.atMs
      fast.add(trade.size, trade.atMs)
      slow.add(trade.size, trade.atMs)
    },
    read(nowMs) {
      const watchedMs = nowMs - firstMs
      if (!(watchedMs >= warmAfterMs)) return undefined
      const usual = slow.read(nowMs) / weightOf(watchedMs, slowMs)
      return usual > 0 ? fast.read(nowMs) / weightOf(watchedMs, fastMs) / usual : undefined
    },
  }
}

/** Total weight of the time watched: a sum divided by it is a rate that is not low only because we began lately. */
function weightOf(watchedMs: number, timeConstantMs: number): number {
  return -timeConstantMs * Math.expm1(-watchedMs / timeConstantMs)
}
