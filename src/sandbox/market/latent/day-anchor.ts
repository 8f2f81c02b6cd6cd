import { COINS } from '../../../core/coin.ts'
import { createRandomStream } from '../../../core/math/random.ts'
import { DAY_MS, MINUTE_MS } from '../../../core/time/time.ts'
import { COIN_MODELS } from '../instrument.ts'

/**
 * The hidden state at a UTC midnight. Every day's path starts at its own midnight's state and ends at the next one's, so
 * that every second depends on the seed alone and a later start follows the same path. Log price, volatility and basis
 * are continuous at midnight; order flow, recent moves and regime are drawn anew.
 */
export type DayAnchor = {
  logPrices: readonly number[]
  /** Deviation of the log volatility from its mean: the market's part; `coinVols` has the coins' parts. */
  marketVol: number
  coinVols: readonly number[]
  flows: readonly number[]
  basis: number
  regime: number
}

export const MARKET_VOL_SD = 0.35
export const COIN_VOL_SD = 0.25
/** USDT is worth a little more than a dollar here: Binance trades some 3 bps below Coinbase. */
export const BASIS_MEAN = -3e-4
export const BASIS_SD = 1.2e-4

// The level decays by 5 % a day, so that prices stay within some three daily moves of their base.
const DAY_MEMORY = 0.95
const DAYS_REMEMBERED = 120
const MINUTES_PER_DAY = DAY_MS / MINUTE_MS
const NORMALS_PER_DAY = 16

export function dayAnchor(seed: string, day: number): DayAnchor {
  const stream = createRandomStream(seed, 'day')
  const z = (on: number, i: number) => stream.normal(on * NORMALS_PER_DAY + i)
  const levels = COINS.map(() => 0)
  for (let back = DAYS_REMEMBERED - 1; back >= 0; back--) {
    const on = day - back
    const market = z(on, 0)
    COINS.forEach((coin, i) => {
      const { marketLoading, volPerMinute } = COIN_MODELS[coin]
      const own = Math.sqrt(1 - marketLoading ** 2) * z(on, i + 1)
      const move = volPerMinute * Math.sqrt(MINUTES_PER_DAY) * (marketLoading * market + own)
      levels[i] = (levels[i] ?? 0) * DAY_MEMORY + move
    })
  }
  return {
    logPrices: COINS.map((coin, i) => Math.log(COIN_MODELS[coin].basePriceUsd) + (levels[i] ?? 0)),
    marketVol: MARKET_VOL_SD * z(day, 5),
    coinVols: COINS.map((_, i) => COIN_VOL_SD * z(day, 6 + i)),
    flows: COINS.map((_, i) => z(day, 10 + i)),
    basis: BASIS_MEAN + BASIS_SD * z(day, 14),
    regime: stream.uint32(day * NORMALS_PER_DAY + 15),
  }
}
