import { MINUTE_MS } from '../../core/time/time.ts'
import type { Trade } from '../../feeds/events.ts'
import { createDecayedSum } from './averages/decayed-sum.ts'
import { lackOfTrades } from './lack-of-trades.ts'
import { isUsableTrade } from './usable-event.ts'

const USUAL_MINUTES = 60
/** With fewer, the usual level would be little else than the newest minutes themselves. */
const MINUTES_NEEDED = 5
/** Far beyond the volume of a minute of our coins; a ratio to less than the lower one could overflow. */
const [MIN_VOLUME, MAX_VOLUME] = [1e-12, 1e24]

export type VolumeSpike = {
  trade(trade: Trade): void
  /** Trades before are not summed with trades after; closed minutes stay. */
  reset(): void
  /** The volume of a minute that closed. */
  minute(volume: number): void
  /** Volume of about the last minute over the usual volume of a minute in about the last hour. */
  read(nowMs: number): number | undefined
  whyUnknown(nowMs: number): string | undefined
}

/**
 * The last minute is a decayed sum over trades, the usual level an exponential average over closed minutes. Candles
 * give the latter exactly, however long we have listened to trades.
 */
export function createVolumeSpike({ usualMinutes = USUAL_MINUTES } = {}): VolumeSpike {
  const recent = createDecayedSum(MINUTE_MS)
  const keep = Math.exp(-1 / usualMinutes)
  let firstMs = Number.NaN
  let closed = 0
  let volumes = 0
  let weights = 0

  const whyUnknown = (nowMs: number) => {
    if (closed < MINUTES_NEEDED) return `fewer than ${MINUTES_NEEDED} closed minutes are known`
    if (!(volumes / weights > MIN_VOLUME)) return 'nothing was traded in the last hours'
    return lackOfTrades(firstMs, nowMs, MINUTE_MS)
  }
  return {
    trade(trade) {
      if (!isUsableTrade(trade)) return
      if (Number.isNaN(firstMs)) firstMs = trade.atMs
      recent.add(trade.size, trade.atMs)
    },
    reset() {
      recent.reset()
      firstMs = Number.NaN
    },
    minute(volume) {
      if (!(volume >= 0 && volume < MAX_VOLUME)) return
      closed++
      volumes = volumes * keep + volume
      weights = weights * keep + 1
    },
    read(nowMs) {
      if (whyUnknown(nowMs) !== undefined) return undefined
      // Divided by the weight of the time that is known: having started a minute ago is not low volume.
      const aMinute = recent.read(nowMs) / -Math.expm1((firstMs - nowMs) / MINUTE_MS)
      return aMinute / (volumes / weights)
    },
    whyUnknown,
  }
}
