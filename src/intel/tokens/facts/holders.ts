import type { TokenHolders, TokenSource, Told } from '../token-analysis.ts'
import type { DexMarket } from './dex-market.ts'
import type { TokenFacts } from './token-facts.ts'
import type { ChainHolder } from './token-ports.ts'

/** Nobody has the key of these. */
const BURNT: ReadonlySet<string> = new Set([
  '0x0000000000000000000000000000000000000000',
  '0x000000000000000000000000000000000000dead',
])
/** Uniswap v4 keeps the tokens of all its pools on Base in this contract. */
const POOL_MANAGER = '0x498581ff718922c3f8e6a244956af099b2652b2b'
const ADDRESS_CHARS = 42
const TOP = 10

/** Where two sources list holders, the list that shows more in few hands counts. */
export function toHolders({ market, holders, security, simulation, contract }: TokenFacts): TokenHolders {
  const lists: readonly Told<readonly ChainHolder[]>[] = [
    ...listed('blockscout', holders.value?.holders),
    ...listed('goplus', security.value?.holders),
  ]
  // What one source knows to be locked is so in the list of the other, too.
  const locked = lists.flatMap(({ value }) => value.filter(({ isLocked }) => isLocked === true))
  const bound = new Set([...BURNT, ...locked.map(({ address }) => address)])
  const supply = contract.value?.totalSupply ?? security.value?.totalSupply
  const isFilledPool = filledPools(market.value, supply)
  /** Known not to sell at will. */
  const isBound = (holder: ChainHolder) => bound.has(holder.address) || isFilledPool(holder)
  const others = (isOne: (holder: ChainHolder) => boolean) =>
    lists.map(({ source, value }) => ({
      source,
      value: value.filter((holder) => !isBound(holder) && isOne(holder)),
    }))
  // Who is not known to be a contract counts as a person.
  const people = others(({ isContract }) => isContract !== true)
  const contracts = others(({ isContract }) => isContract === true)
  return {
    count: firstCount([
      ['blockscout', holders.value?.count],
      ['goplus', security.value?.holderCount],
      ['honeypot.is', simulation.value?.holderCount],
    ]),
    top10Share: topShare(people),
    largest: largestOf(people),
    contractShare: topShare(contracts),
    creatorShare: told('goplus', security.value?.creatorShare),
    ownerShare: told('goplus', security.value?.ownerShare),
    lockedLiquidityShare: lockedShare(security.value?.lpHolders),
  }
}

/** The money in a pool is worth at least this part of the tokens in it. */
const MONEY_PER_TOKENS = 1 / 20

/**
 * Pools against money that hold some: anybody can leave his tokens in a pool of his own, against nothing, and take them
 * out again to sell them elsewhere.
 */
function filledPools(market: DexMarket | undefined, supply: number | undefined) {
  const { priceUsd, fdvUsd, moneyPools = [] } = market ?? {}
  const worthUsd =
    priceUsd !== undefined && supply !== undefined ? Math.max(priceUsd * supply, fdvUsd ?? 0) : fdvUsd
  const moneyIn = new Map<string, number>()
  for (const { id, moneyUsd } of moneyPools) {
    const holder = id.length > ADDRESS_CHARS ? POOL_MANAGER : id
    moneyIn.set(holder, (moneyIn.get(holder) ?? 0) + moneyUsd)
  }
  return ({ address, share }: ChainHolder): boolean => {
    const moneyUsd = moneyIn.get(address) ?? 0
    return worthUsd !== undefined && moneyUsd > 0 && moneyUsd >= share * worthUsd * MONEY_PER_TOKENS
  }
}

/** An empty list is one that the source does not have. */
const listed = (source: TokenSource, value: readonly ChainHolder[] | undefined) =>
  value === undefined || value.length === 0 ? [] : [{ source, value }]

const told = <T>(source: TokenSource, value: T | undefined): Told<T> | undefined =>
  value === undefined ? undefined : { source, value }

const topOf = (holders: readonly ChainHolder[]) => holders.toSorted((a, b) => b.share - a.share).slice(0, TOP)
const shareOf = (holders: readonly ChainHolder[]) =>
  Math.min(
    1,
    holders.reduce((sum, { share }) => sum + share, 0),
  )

function topShare(lists: readonly Told<readonly ChainHolder[]>[]): Told<number> | undefined {
  const shares = lists.map(({ source, value }) => ({ source, value: shareOf(topOf(value)) }))
  return shares.toSorted((a, b) => b.value - a.value)[0]
}

function largestOf(lists: readonly Told<readonly ChainHolder[]>[]): TokenHolders['largest'] {
  const largest = lists.flatMap(({ source, value }) => {
    const [first] = topOf(value)
    // Everything is in contracts, locked or burnt: that nobody holds it is known, too.
    return [{ source, value: { address: first?.address, share: first?.share ?? 0 } }]
  })
  return largest.toSorted((a, b) => b.value.share - a.value.share)[0]
}

/** A token that is traded has holders: a count of 0 is one that the source has not made. */
function firstCount(counts: readonly (readonly [TokenSource, number | undefined])[]) {
  const found = counts.find(([, count]) => count !== undefined && count > 0)
  return found && told(found[0], found[1])
}

function lockedShare(lpHolders: readonly ChainHolder[] | undefined): Told<number> | undefined {
  if (lpHolders === undefined || lpHolders.length === 0) return undefined
  const safe = lpHolders.filter(({ address, isLocked }) => isLocked === true || BURNT.has(address))
  return { source: 'goplus', value: shareOf(safe) }
}
