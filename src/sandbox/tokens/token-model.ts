import { COIN_MODELS } from '../market/instrument.ts'
import type { CoinHistory } from './prices/coin-history.ts'
import { createTokenPrice, type TokenPrice } from './prices/token-prices.ts'
import { createTurnover, type Turnover } from './prices/turnover.ts'
import { toSimToken } from './specs/sim-token.ts'
import type { Course, TokenSpec } from './specs/token-spec.ts'
import type { SimPool, SimToken } from './token-world.ts'
import { unitsOf } from './units.ts'
import { crowdOf } from './wallets/crowd.ts'

/** Everything about one token that does not depend on the others. */
export type TokenModel = {
  spec: TokenSpec
  token: SimToken
  price: TokenPrice
  turnover: Turnover
  /** What it is usually worth. */
  usualUsd: number
  /** What its pools hold as long as nobody large trades, in the order of `token.pools`. */
  poolAmounts: readonly bigint[]
  crowd(): ReturnType<typeof crowdOf>
  isOfCrowd(address: string): boolean
}

/** The first pool has most of the liquidity. */
const POOL_WEIGHTS = [6, 3, 1] as const

export function createTokenModel(seed: string, spec: TokenSpec, coins: CoinHistory): TokenModel {
  const price = createTokenPrice(seed, spec, coins)
  const inPools = poolAmounts(spec)
  let found: ReturnType<typeof crowdOf> | undefined
  let addresses: ReadonlySet<string> | undefined
  const crowd = () => {
    found ??= crowdOf(
      spec,
      inPools.reduce((sum, amount) => sum + amount, 0n),
    )
    return found
  }
  return {
    spec,
    token: toSimToken(spec),
    price,
    turnover: createTurnover(price, spec.turnover),
    usualUsd: usualUsd(spec.course),
    poolAmounts: inPools,
    crowd,
    isOfCrowd(address) {
      addresses ??= new Set(crowd().map((holder) => holder.address))
      return addresses.has(address)
    },
  }
}

export const poolAmountOf = ({ token, poolAmounts }: TokenModel, pool: SimPool): bigint =>
  poolAmounts[token.pools.indexOf(pool)] ?? 0n

function poolAmounts({ pools, inPools, supply, decimals }: TokenSpec): readonly bigint[] {
  const weights = pools.map((_, i) => POOL_WEIGHTS[i] ?? 1)
  const all = weights.reduce<number>((sum, weight) => sum + weight, 0)
  return weights.map((weight) => unitsOf((supply * inPools * weight) / all, decimals))
}

function usualUsd(course: Course): number {
  if (course.follows === 'dollar') return 1
  if (course.follows !== 'nobody') return COIN_MODELS[course.follows].basePriceUsd * course.factor
  return course.priceUsd * Math.exp((course.launch?.climb ?? 0) / 2)
}
