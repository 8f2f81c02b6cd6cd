import { createBoundedCache } from '../../../core/bounded-cache.ts'
import { DAY_MS } from '../../../core/time/time.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'

export type FollowedCoin = 'ETH' | 'BTC'
export type CoinHistory = (coin: FollowedCoin, atMs: number) => number

const MAX_MIDNIGHTS = 1_000
/** As many as the market keeps at hand. */
const EXACT_DAYS = 2

/**
 * The market's price of a coin in dollars. Computing a past day second by second takes long: before yesterday the price
 * is exact at midnight, and a straight line in between.
 */
export function createCoinHistory({ latent, nowMs }: Pick<SimulatedMarket, 'latent' | 'nowMs'>): CoinHistory {
  const midnights = createBoundedCache<string, number>({ capacity: MAX_MIDNIGHTS })
  const midnight = (coin: FollowedCoin, day: number) => {
    const key = `${coin}/${day}`
    const known = midnights.get(key)
    if (known !== undefined) return known
    const made = latent.logPrice('coinbase', coin, day * DAY_MS)
    midnights.set(key, made)
    return made
  }
  return (coin, atMs) => {
    const days = atMs / DAY_MS
    const day = Math.floor(days)
    if (day > Math.floor(nowMs() / DAY_MS) - EXACT_DAYS)
      return Math.exp(latent.logPrice('coinbase', coin, Math.floor(atMs)))
    const from = midnight(coin, day)
    return Math.exp(from + (midnight(coin, day + 1) - from) * (days - day))
  }
}
