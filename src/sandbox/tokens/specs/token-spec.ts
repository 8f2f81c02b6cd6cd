import type { Address } from 'viem'
import type { FollowedCoin } from '../prices/coin-history.ts'
import type { SimPool, TokenTraits } from '../token-world.ts'

/** How a simulated token was made; the rest follows from it, the seed and the time. */
export type TokenSpec = {
  /** Tells it apart: its path, pools and creator are drawn by it. */
  key: string
  address: Address
  name: string
  symbol: string
  decimals: number
  /** In whole tokens. */
  supply: number
  createdMs: number
  ruggedAtMs?: number
  course: Course
  /** Shares of the supply. What is left belongs to the crowd. */
  inPools: number
  burnt?: number
  ofCreator?: number
  /** Of the crowd's part, what its ten largest have. */
  crowdTop?: number
  /** How many hold it once it has been out for a while. */
  holderCount: number
  /** What is traded a day, in units of the liquidity. */
  turnover: number
  pools: readonly Pick<SimPool, 'dex' | 'quote'>[]
  isOwned?: boolean
  traits?: Partial<TokenTraits>
}

export type Course =
  /** Worth `factor` coins of the simulated market. */
  | { follows: FollowedCoin; factor: number }
  | { follows: 'dollar' }
  /** Around `priceUsd`. */
  | { follows: 'nobody'; priceUsd: number; volPerMinute: number; launch?: Launch }

/** A new token's price climbs `climb` (in logs) within about `climbMs` and then gives back `fall` over some hours. */
export type Launch = { climb: number; climbMs: number; fall: number }

export const HONEST: TokenTraits = {
  isHoneypot: false,
  buyTax: 0,
  sellTax: 0,
  canMint: false,
  isProxy: false,
  hasHiddenOwner: false,
  canTakeBackOwnership: false,
  canPauseTransfers: false,
  canBlacklist: false,
  isOpenSource: true,
  lockedLiquidity: 0.95,
}
