import { COINS, type Coin } from '../../../core/coin.ts'
import { createRandomStream } from '../../../core/math/random.ts'
import type { SimVenue } from '../instrument.ts'
import { type DayAnchor, dayAnchor } from './day-anchor.ts'
import { createLatentDay, DAY_S, type LatentDay } from './latent-day.ts'
import { SIM_REGIMES, type SimRegime } from './regime.ts'

/** The hidden state of the market up to now. Venues quote around its prices. */
export type Latent = {
  /** The price that a venue quotes around, on a grid of `SUBSTEP_MS`. */
  logPrice(venue: SimVenue, coin: Coin, atMs: number): number
  /** Standard deviation of the log price over one second. */
  vol(coin: Coin, second: number): number
  flow(coin: Coin, second: number): number
  regime(second: number): SimRegime
  /** The state at the start of a day of the epoch, however long ago; no path is made for it. */
  midnight(day: number): DayAnchor
}

export const SUBSTEP_MS = 100
const SUBSTEPS = 1000 / SUBSTEP_MS
/** Coinbase's price follows Binance's with this delay. */
export const COINBASE_LAG_MS = 300

// Today, yesterday, and one more for requests about the past around midnight.
const MAX_DAYS_KEPT = 3
const MAX_SECONDS_KEPT = 512

export function createLatent(seed: string): Latent {
  const dayOf = createDays(seed)
  const at = (second: number) => {
    const day = Math.floor(second / DAY_S)
    const row = second - day * DAY_S
    const rows = dayOf(day)
    rows.buildTo(row + 1)
    return { rows, row }
  }
  const path = createSubsecondPaths(seed, at)
  return {
    logPrice(venue, coin, atMs) {
      const column = COINS.indexOf(coin)
      const seenMs = venue === 'binance' ? atMs : atMs - COINBASE_LAG_MS
      const second = Math.floor(seenMs / 1000)
      const substep = Math.floor((seenMs - second * 1000) / SUBSTEP_MS)
      const { rows, row } = at(second)
      // Prices at whole seconds are stored; only those in between need a path. History uses whole seconds only.
      const price =
        substep === 0 ? rows.logPrices[row * COINS.length + column] : path(second, column)[substep]
      return (price ?? 0) + (venue === 'binance' ? (rows.bases[row] ?? 0) : 0)
    },
    vol(coin, second) {
      const { rows, row } = at(second)
      return rows.vols[row * COINS.length + COINS.indexOf(coin)] ?? 0
    },
    flow(coin, second) {
      const { rows, row } = at(second)
      return rows.flows[row * COINS.length + COINS.indexOf(coin)] ?? 0
    },
    regime(second) {
      const { rows, row } = at(second)
      return SIM_REGIMES[rows.regimes[row] ?? 0] ?? 'neutral'
    },
    midnight: (day) => dayAnchor(seed, day),
  }
}

function createDays(seed: string): (day: number) => LatentDay {
  const days = new Map<number, LatentDay>()
  return (day) => {
    const known = days.get(day)
    if (known) return known
    const made = createLatentDay(seed, day)
    days.set(day, made)
    if (days.size > MAX_DAYS_KEPT) days.delete(Math.min(...days.keys()))
    return made
  }
}

type RowAt = (second: number) => { rows: LatentDay; row: number }

/** The ten prices within a second: a Brownian bridge between its ends, so that no step predicts the next. */
function createSubsecondPaths(seed: string, at: RowAt): (second: number, column: number) => Float64Array {
  const stream = createRandomStream(seed, 'substep')
  const kept: { key: number; path: Float64Array }[] = []
  return (second, column) => {
    const key = second * COINS.length + column
    const slot = key % MAX_SECONDS_KEPT
    const known = kept[slot]
    if (known?.key === key) return known.path
    const { rows, row } = at(second)
    const from = row * COINS.length + column
    const path = new Float64Array(SUBSTEPS)
    const end = rows.logPrices[from + COINS.length] ?? 0
    const sd = (rows.vols[from] ?? 0) / Math.sqrt(SUBSTEPS)
    let price = rows.logPrices[from] ?? 0
    for (let i = 0; i < SUBSTEPS; i++) {
      path[i] = price
      const left = SUBSTEPS - i
      price += (end - price) / left + sd * Math.sqrt((left - 1) / left) * stream.normal(key * SUBSTEPS + i)
    }
    kept[slot] = { key, path }
    return path
  }
}
