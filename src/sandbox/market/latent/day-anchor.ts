import { COINS } from '../../../core/coin.ts'
import { createRandomStream } from '../../../core/math/random.ts'
import { DAY_MS, MINUTE_MS } from '../../../core/time.ts'
import { COIN_MODELS } from '../instrument.ts'

/**
 * Where the hidden market stands at a UTC midnight. Every day's path leaves from its own midnight and
 * arrives at the next one's, so each second of each day is fixed by the seed alone: a run started
 * later walks the same path. Continuous over midnight: log price, volatility, basis. Drawn anew at
 * midnight: order flow, the memory of recent moves, the regime.
 */
export type DayAnchor = {
  logPrices: readonly number[]
  /** Log-volatility around its mean: the market's part, then one per coin. */
  marketVol: number
  coinVols: readonly number[]
  flows: readonly number[]
  basis: number
  regime: number
}

export const MARKET_VOL_SD = 0.35
export const COIN_VOL_SD = 0.25
/** A dollar buys a little less than a tether: Binance prints some 3 bps below Coinbase. */
export const BASIS_MEAN = -3e-4
export const BASIS_SD = 1.2e-4

// A midnight's level forgets 5 % a day, so prices wander around their base by some three daily moves.
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
