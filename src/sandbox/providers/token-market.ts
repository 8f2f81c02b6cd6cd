import { WETH } from '../tokens/known-addresses.ts'
import type { PoolState, SimPool, SimToken, TokenWorld } from '../tokens/token-world.ts'

/** A pool that can be traded in now. `base` is its own token, `quote` what that is paid with. */
export type LivePool = {
  pool: SimPool
  state: PoolState
  base: SimToken
  quote: SimToken
  quotePriceUsd: number
}

/** What those who tell of tokens see at this moment. */
export type TokenMarket = {
  world: TokenWorld
  nowMs(): number
  /** Undefined before it is made, and for what is no token. */
  token(address: string): SimToken | undefined
  pools(): readonly LivePool[]
  /** By its id; undefined before it is opened. */
  pool(id: string): SimPool | undefined
  /** Those that a token stands in, on either side; the deepest first. */
  poolsOf(token: SimToken): readonly LivePool[]
  /** The part of the liquidity that its owners cannot take out. */
  lockedShare(token: SimToken): number
  isRugged(token: SimToken): boolean
  /** What gas is paid in; undefined in a world without it. */
  etherUsd(): number | undefined
}

export function createTokenMarket(world: TokenWorld, nowMs: () => number): TokenMarket {
  const token = (address: string) => {
    const found = world.token(address.toLowerCase())
    return found && found.createdMs <= nowMs() ? found : undefined
  }
  const live = (base: SimToken, pool: SimPool): LivePool[] => {
    const [state, quote] = [world.pool(pool.id, nowMs()), token(pool.quote)]
    const quotePriceUsd = world.priceUsd(pool.quote, nowMs())
    return state && quote && quotePriceUsd ? [{ pool, state, base, quote, quotePriceUsd }] : []
  }
  const livePools = (base: SimToken) => base.pools.flatMap((pool) => live(base, pool))
  const isRugged = ({ ruggedAtMs }: SimToken) => ruggedAtMs !== undefined && ruggedAtMs <= nowMs()
  return {
    world,
    nowMs,
    token,
    isRugged,
    etherUsd: () => world.priceUsd(WETH, nowMs()),
    pools: () => world.tokens.filter(({ createdMs }) => createdMs <= nowMs()).flatMap(livePools),
    pool: (id) =>
      world.tokens
        .flatMap(({ pools }) => pools)
        .find((pool) => pool.id === id.toLowerCase() && pool.createdMs <= nowMs()),
    poolsOf(wanted) {
      const others = world.tokens.filter(({ address }) => address !== wanted.address)
      const asQuote = others.flatMap((base) =>
        base.pools.filter(({ quote }) => quote === wanted.address).flatMap((pool) => live(base, pool)),
      )
      return [...livePools(wanted), ...asQuote].sort((a, b) => b.state.liquidityUsd - a.state.liquidityUsd)
    },
    lockedShare: (of) => (isRugged(of) ? 0 : of.traits.lockedLiquidity),
  }
}

/** In whole tokens. */
export const wholeSupply = ({ totalSupply, decimals }: SimToken): number =>
  Number(totalSupply) / 10 ** decimals
