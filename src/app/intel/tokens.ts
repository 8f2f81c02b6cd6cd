import type { Clock } from '../../core/time/clock.ts'
import { createBatched } from '../../intel/tokens/facts/batched.ts'
import { createContractFacts, createTokenCheck } from '../../intel/tokens/facts/contract-facts.ts'
import { createExplorerHolders } from '../../intel/tokens/facts/explorer-holders.ts'
import { createTokenFacts, type TokenFactsReader } from '../../intel/tokens/facts/token-facts.ts'
import type { TokenPorts } from '../../intel/tokens/facts/token-ports.ts'
import { createTokenAnalyst, type TokenAnalyst } from '../../intel/tokens/token-analyst.ts'
import { createTokenLookup, type TokenLookup } from '../../intel/tokens/token-lookup.ts'
import { createTokenPrices, type TokenPrices } from '../../intel/tokens/token-price.ts'
import { createTrending, type Trending } from '../../intel/tokens/trending/trending.ts'
import type { BaseChain } from '../../upstreams/base-chain/base-chain.ts'
import type { Blockscout } from '../../upstreams/blockscout/client.ts'
import { MAX_PRICE_ADDRESSES } from '../../upstreams/geckoterminal/client.ts'
import { createRequestBudget } from '../../upstreams/rules/request-budget.ts'
import { UpstreamError } from '../../upstreams/upstream.ts'
import type { TokenSources } from './token-sources.ts'

/** What handlers may use of the tokens on Base. */
export type OpenTokens = {
  /** For those who need to know of many tokens at once, such as wallets. */
  facts: Pick<TokenFactsReader, 'readOne'>
  analyst: TokenAnalyst
  lookup: TokenLookup
  prices: TokenPrices
  trending: Trending
  /** Resolves when trending pools have been read once, well or not. */
  start(): Promise<void>
  stop(): void
}

type Ports = {
  sources: TokenSources
  chain: Pick<BaseChain, 'metadata' | 'balances'>
  blockscout: Pick<Blockscout, 'token' | 'holders'>
  clock: Clock
  /** Replaced in tests only. */
  random?: () => number
}

/**
 * GeckoTerminal allows thirty requests a minute. This leaves room for the trending pools, which everybody asks for,
 * however many tokens are priced.
 */
const PRICE_ALLOWANCE = { burst: 5, perSecond: 17 / 60 }

/** The sources end with their hosts, the chain with whoever opened it. */
export function openTokens({ sources, chain, blockscout, clock, random = Math.random }: Ports): OpenTokens {
  const { dexScreener, geckoTerminal, pairsByToken, goPlus, honeypot } = sources
  const priceBudget = createRequestBudget(clock, PRICE_ALLOWANCE, 0)
  const readPrices = async (addresses: readonly string[]) => {
    if (priceBudget.findWaitMs(1) === undefined)
      throw new UpstreamError('busy', 'prices are asked for too often')
    const prices = await geckoTerminal.tokenPrices(addresses)
    return addresses.map((address) => prices.get(address))
  }
  const ports: TokenPorts = {
    pairs: async (address) => (await dexScreener.tokenPairs(address)).pairs,
    geckoPrice: createBatched({ clock, perRequest: MAX_PRICE_ADDRESSES, read: readPrices }),
    security: goPlus.tokenSecurity,
    simulation: honeypot.simulate,
    holders: createExplorerHolders(blockscout),
    contract: createContractFacts(chain),
  }
  const facts = createTokenFacts({ ports, clock, random })
  const hasPairs = async (address: string) => (await pairsByToken.pairsOf(address)).length > 0
  const lookup = createTokenLookup({
    clock,
    hasPairs,
    isTokenContract: createTokenCheck({ clock, balances: chain.balances }),
  })
  const trending = createTrending({ clock, random, facts, trendingPools: geckoTerminal.trendingPools })
  return {
    facts,
    analyst: createTokenAnalyst({ facts }),
    lookup,
    prices: createTokenPrices({ facts, lookup }),
    trending,
    start: trending.start,
    stop: trending.stop,
  }
}
