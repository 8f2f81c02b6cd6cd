import { COINS, type Coin } from '../../core/coin.ts'
import { type Latent, SUBSTEP_MS } from './latent/latent.ts'
import type { SimOracleTick } from './sim-events.ts'

/** A second's price is published this much later. */
export const ORACLE_DELAY_MS = 1000
export const TWAP_S = 60
const MAX_SPOTS_KEPT = 16_384

/** The price that resolves five-minute markets, for any second that has passed. */
export type Oracle = { at(coin: Coin, second: number): SimOracleTick }

/**
 * Spot is the mean of Coinbase's price over the second that ends at the tick; the 60-second price is the
 * plain mean of the last sixty spots. Made from the hidden price, so that the trading cadence does not change it.
 */
export function createOracle(latent: Latent): Oracle {
  const kept: Spot[] = []
  const find = (key: number) => {
    const known = kept[key % MAX_SPOTS_KEPT]
    return known?.key === key ? known : undefined
  }
  const spotAt = (coin: Coin, second: number): Spot => {
    const key = keyOf(coin, second)
    const known = find(key)
    if (known) return known
    let sum = 0
    for (let back = 0; back < 1000; back += SUBSTEP_MS)
      sum += Math.exp(latent.logPrice('coinbase', coin, second * 1000 - back))
    const spot = { key, units: Math.round(((sum * SUBSTEP_MS) / 1000) * UNITS_PER_USD), sum60: undefined }
    kept[key % MAX_SPOTS_KEPT] = spot
    return spot
  }
  /** Updates the sum of the second before if that is known. In whole units, so that the result is the same either way. */
  const sum60At = (coin: Coin, second: number): number => {
    const spot = spotAt(coin, second)
    if (spot.sum60 !== undefined) return spot.sum60
    const before = find(keyOf(coin, second - 1))?.sum60
    if (before !== undefined) spot.sum60 = before + spot.units - spotAt(coin, second - TWAP_S).units
    else {
      spot.sum60 = 0
      for (let back = 0; back < TWAP_S; back++) spot.sum60 += spotAt(coin, second - back).units
    }
    return spot.sum60
  }
  return {
    at(coin, second) {
      const twapUnits = Math.round(sum60At(coin, second) / TWAP_S)
      return {
        coin,
        atMs: second * 1000,
        publishedMs: second * 1000 + ORACLE_DELAY_MS,
        spotUsd: spotAt(coin, second).units / UNITS_PER_USD,
        twap60Usd: twapUnits / UNITS_PER_USD,
      }
    },
  }
}

/** Eight decimals, as the oracle writes them. Sixty of the largest price stay exact below 2^53. */
const UNITS_PER_USD = 1e8
type Spot = { key: number; units: number; sum60: number | undefined }

function keyOf(coin: Coin, second: number): number {
  return second * COINS.length + COINS.indexOf(coin)
}
