import type { DexPair } from '../../../upstreams/dexscreener/wire.ts'
import type { GeckoPrice } from '../../../upstreams/geckoterminal/wire.ts'
import type { TokenSecurity } from '../../../upstreams/goplus/wire.ts'
import type { Simulation } from '../../../upstreams/honeypot/wire.ts'

/** What a token contract says of itself. */
export type ContractFacts = {
  name: string | undefined
  symbol: string | undefined
  decimals: number | undefined
  /** In whole tokens. */
  totalSupply: number | undefined
}

export type ChainHolder = {
  address: string
  /** Of the supply, from 0 to 1. */
  share: number
  isContract: boolean | undefined
  isLocked: boolean | undefined
}
export type ChainHolders = {
  count: number | undefined
  /** The largest first; undefined where they are not known. */
  holders: readonly ChainHolder[] | undefined
}

/**
 * Where the facts of a token come from. Addresses are in lower case. Each rejects with an `UpstreamError` only, and
 * answers undefined, or no pairs, where the source does not have the token.
 */
export type TokenPorts = {
  /** All pairs of a token. */
  pairs(address: string): Promise<readonly DexPair[]>
  geckoPrice(address: string): Promise<GeckoPrice | undefined>
  security(address: string): Promise<TokenSecurity | undefined>
  simulation(address: string): Promise<Simulation | undefined>
  holders(address: string): Promise<ChainHolders | undefined>
  /** Undefined where there is no contract, or one that is no token. */
  contract(address: string): Promise<ContractFacts | undefined>
}
