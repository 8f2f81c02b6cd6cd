import type { Coin } from '../../../core/coin.ts'
import { DAY_MS, MINUTE_MS } from '../../../core/time/time.ts'
import type { SimVenue } from '../instrument.ts'
import type { SimCandle } from '../sim-events.ts'
import type { SimulatedMarket } from '../simulated-market.ts'

const DAY_MINUTES = DAY_MS / MINUTE_MS

/** The last 24 hours of a pair as one candle, the current minute included. Computed at most once a second. */
export function createDayStats(market: SimulatedMarket): (venue: SimVenue, coin: Coin) => SimCandle {
  const kept = new Map<string, { second: number; candle: SimCandle }>()
  return (venue, coin) => {
    const second = Math.floor(market.nowMs() / 1000)
    const key = `${venue}/${coin}`
    const known = kept.get(key)
    if (known?.second === second) return known.candle
    const minuteMs = Math.floor(market.nowMs() / MINUTE_MS) * MINUTE_MS
    const openMs = minuteMs - (DAY_MINUTES - 1) * MINUTE_MS
    const candle = market.candle(venue, coin, openMs, DAY_MINUTES)
    kept.set(key, { second, candle })
    return candle
  }
}
