import { COINS, type Coin, mapCoins } from '../../../core/coin.ts'
import { COIN_MODELS } from '../../market/instrument.ts'
import type { Oracle } from '../../market/oracle.ts'

/** Standard deviation of the log price over one second, as anyone can estimate it from the oracle's past prices. */
export type Volatility = {
  /** `second` is the last one that is published. */
  advanceTo(second: number): void
  of(coin: Coin): number
}

const STEP_S = 10
const MEMORY_S = 600
/** Steps that are read at the start, and after a gap. */
const WARM_STEPS = 60
// The oracle's price is a mean over a second, which makes moves between two of them smaller by a third of a second.
const STEP_VARIANCE_S = STEP_S - 1 / 3
const LOWEST = 0.25
const HIGHEST = 5

export function createVolatility(oracle: Oracle): Volatility {
  const variances = mapCoins((coin) => usual(coin) ** 2)
  let readS: number | undefined
  const step = (toS: number) => {
    for (const coin of COINS) {
      const move = Math.log(oracle.at(coin, toS).spotUsd / oracle.at(coin, toS - STEP_S).spotUsd)
      variances[coin] += (move ** 2 / STEP_VARIANCE_S - variances[coin]) * (STEP_S / MEMORY_S)
    }
    readS = toS
  }
  return {
    advanceTo(second) {
      const lastS = Math.floor(second / STEP_S) * STEP_S
      const firstS = Math.max((readS ?? 0) + STEP_S, lastS - WARM_STEPS * STEP_S)
      for (let toS = firstS; toS <= lastS; toS += STEP_S) step(toS)
    },
    of(coin) {
      const typical = usual(coin)
      return Math.min(HIGHEST * typical, Math.max(LOWEST * typical, Math.sqrt(variances[coin])))
    },
  }
}

/** What makers know from before. */
function usual(coin: Coin): number {
  return COIN_MODELS[coin].volPerMinute / Math.sqrt(60)
}
