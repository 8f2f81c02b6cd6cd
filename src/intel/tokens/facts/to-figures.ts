import type { Part } from '../../part.ts'
import { shownName } from '../shown-name.ts'
import type { TokenFigures, TokenIdentity, TokenMarket } from '../token-analysis.ts'
import { believedLiquidity } from './believed-liquidity.ts'
import { UNKNOWN_CHANGE } from './dex-market.ts'
import { toHolders } from './holders.ts'
import { toReports } from './reports.ts'
import { toHoneypot, toPowers, toTaxes } from './safety.ts'
import type { TokenFacts } from './token-facts.ts'

/** Undefined where no source tells of a market: then there is nothing to say. */
export function toFigures(address: string, facts: TokenFacts): TokenFigures | undefined {
  const { market, price, security, simulation, holders, contract } = facts
  const asOfMs = market.asOfMs ?? price.asOfMs
  if (asOfMs === undefined) return undefined
  return {
    address,
    identity: toIdentity(facts),
    market: toMarket(facts, asOfMs),
    holders: toHolders(facts),
    taxes: toTaxes(facts),
    powers: toPowers(address, facts),
    honeypot: toHoneypot(facts),
    reports: toReports(facts),
    parts: {
      dexscreener: bare(market),
      geckoterminal: bare(price),
      goplus: bare(security),
      'honeypot.is': bare(simulation),
      blockscout: bare(holders),
      base_node: bare(contract),
    },
    asOfMs,
  }
}

/** Without the value, which others must not depend on. */
function bare(part: Part<unknown>): Part<undefined> {
  return part.status === 'missing' ? part : { ...part, value: undefined }
}

/** The contract speaks for itself; where it cannot be read, the sources repeat what it said. */
function toIdentity({ contract, market, security }: TokenFacts): TokenIdentity {
  const told = [contract.value, market.value, security.value]
  const firstOf = (field: 'name' | 'symbol') => told.map((one) => one?.[field]).find((text) => text?.trim())
  return {
    ...shownName({ name: firstOf('name'), symbol: firstOf('symbol') }),
    alsoCalled: told.flatMap((one) => (one ? [{ name: one.name, symbol: one.symbol }] : [])),
    decimals: contract.value?.decimals,
    totalSupply: contract.value?.totalSupply ?? security.value?.totalSupply,
  }
}

/** Of two sources the one that saw the price fall first, or in the pool that matters. */
const worseOf = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)

/** What the pools say; while DexScreener is silent or has no price, what GeckoTerminal says. */
function toMarket({ market, price }: TokenFacts, asOfMs: number): TokenMarket {
  const pools = market.value
  const other = price.value
  const createdMs = pools?.createdMs
  const hasPools = pools !== undefined && (pools.pools > 0 || other === undefined)
  return {
    priceUsd: pools?.priceUsd ?? other?.priceUsd,
    change: {
      ...(hasPools ? pools.change : UNKNOWN_CHANGE),
      h24: worseOf(hasPools ? pools.change.h24 : undefined, other?.change24hPercent),
    },
    volumeUsd24h: pools?.volumeUsd24h ?? other?.volume24hUsd,
    buys24h: pools?.buys24h,
    sells24h: pools?.sells24h,
    liquidityUsd: hasPools
      ? believedLiquidity(pools.liquidityUsd, other?.liquidityUsd).usd
      : other?.liquidityUsd,
    pools: pools?.pools ?? 0,
    marketCapUsd: pools?.marketCapUsd ?? other?.marketCapUsd,
    fdvUsd: pools?.fdvUsd,
    createdMs,
    ageMs: createdMs === undefined ? undefined : Math.max(0, asOfMs - createdMs),
  }
}
