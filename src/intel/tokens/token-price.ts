import { ServiceError } from '../../core/service-error.ts'
import type { Part } from '../part.ts'
import { believedLiquidity } from './facts/believed-liquidity.ts'
import type { TokenFactsReader } from './facts/token-facts.ts'
import type { TokenLookup } from './token-lookup.ts'

export type TokenPrice = { priceUsd: number; source: string; asOfMs: number }

/** Prices of tokens on Base by their contract's address, in any case. */
export type TokenPrices = TokenLookup & {
  /** Undefined where neither source has one; throws `upstream_unavailable` where two contradict each other. */
  price(address: string): Promise<TokenPrice | undefined>
  /** The same until a price could differ. */
  priceState(address: string): unknown
}

type Ports = { facts: Pick<TokenFactsReader, 'readOne' | 'stateOf'>; lookup: TokenLookup }

/** Prices that are further apart than this contradict each other: nobody can tell which one is right. */
const MAX_FACTOR = 2

/** Two sources are asked; the one that sees more liquidity behind its price is believed. */
export function createTokenPrices({ facts, lookup }: Ports): TokenPrices {
  return {
    checkExists: lookup.checkExists,
    async price(given) {
      const address = given.toLowerCase()
      const [market, price] = await Promise.all([
        facts.readOne('market', address),
        facts.readOne('price', address),
      ])
      const [dex, gecko] = [toQuote(market), toQuote(price)]
      const best = dex && gecko ? choose(address, dex, gecko) : (dex ?? gecko)
      return best && { priceUsd: best.priceUsd, source: best.source, asOfMs: best.asOfMs }
    },
    priceState: (address) => facts.stateOf(['market', 'price'], address.toLowerCase()),
  }
}

type Quote = TokenPrice & { liquidityUsd: number | undefined }

function toQuote(part: Part<Pick<Quote, 'liquidityUsd'> & { priceUsd: number | undefined }>) {
  const priceUsd = part.value?.priceUsd
  if (priceUsd === undefined || part.asOfMs === undefined) return undefined
  return { priceUsd, liquidityUsd: part.value?.liquidityUsd, source: part.source, asOfMs: part.asOfMs }
}

function choose(address: string, dex: Quote, gecko: Quote): Quote {
  const factor = dex.priceUsd / gecko.priceUsd
  if (factor > MAX_FACTOR || factor < 1 / MAX_FACTOR)
    throw new ServiceError(
      'upstream_unavailable',
      `the sources contradict each other about ${address}: ${dex.source} says ${dex.priceUsd} dollars, ${gecko.source} ${gecko.priceUsd}; nothing was charged`,
    )
  if (believedLiquidity(dex.liquidityUsd, gecko.liquidityUsd).isDoubted) return gecko
  return (gecko.liquidityUsd ?? 0) > (dex.liquidityUsd ?? 0) ? gecko : dex
}
