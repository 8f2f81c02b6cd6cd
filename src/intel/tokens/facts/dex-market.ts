import type { DexPair } from '../../../upstreams/dexscreener/wire.ts'
import { isGenuine } from '../risk/imitation.ts'
import type { TokenMarket } from '../token-analysis.ts'

/** What all pools of a token say together. */
export type DexMarket = Omit<TokenMarket, 'ageMs'> & {
  name: string | undefined
  symbol: string | undefined
  /** Those against money. */
  moneyPools: readonly MoneyPool[]
}

export type MoneyPool = {
  /** Its contract, or 32 bytes for a pool of Uniswap v4, which has none. */
  id: string
  /** What the money in it is worth. */
  moneyUsd: number
}

/** Below this a pool against money is too small to tell a price. */
const MIN_MONEY_POOL_USD = 1_000

/** Price, changes and value come from the main pool; trades are those in pools against money; the rest is of all pools. */
export function toDexMarket(address: string, pairs: readonly DexPair[]): DexMarket {
  const own = pairs.filter(({ base, quote }) => base.address === address || quote.address === address)
  const isBase = ({ base }: DexPair) => base.address === address
  const asBase = own.filter(isBase)
  const priced = asBase.filter(({ basePriceUsd }) => basePriceUsd !== undefined)
  // Money such as WETH is the quote token of nearly all of its pools.
  const pricedAsQuote = own.filter((pair) => !isBase(pair) && pair.quotePriceUsd !== undefined)
  const isGood = (pair: DexPair) => isAgainstMoney(address, pair)
  const good = mostLiquid(priced.filter(isGood))
  const asQuote = good ? undefined : mostLiquid(pricedAsQuote.filter(isGood))
  const main = good ?? (asQuote ? undefined : mostLiquid(priced))
  // Sales to oneself cost next to nothing where the other token is worth nothing.
  const traded = own.some(isGood) ? own.filter(isGood) : own
  const told = main?.base ?? asBase[0]?.base ?? own[0]?.quote
  return {
    name: told?.name || undefined,
    symbol: told?.symbol || undefined,
    moneyPools: own.filter((pair) => isMoneyPair(address, pair)).map((pair) => toMoneyPool(address, pair)),
    priceUsd: main?.basePriceUsd ?? (asQuote ?? mostLiquid(pricedAsQuote))?.quotePriceUsd,
    change: {
      ...UNKNOWN_CHANGE,
      ...main?.changePercent,
      h24: main?.changePercent.h24 ?? worstChange(address, asBase),
    },
    volumeUsd24h: sumKnown(own, ({ volumeUsd }) => volumeUsd.h24),
    // Who buys the base token sells the quote token.
    buys24h: sumKnown(traded, (pair) => pair.trades.h24?.[isBase(pair) ? 'buys' : 'sells']),
    sells24h: sumKnown(traded, (pair) => pair.trades.h24?.[isBase(pair) ? 'sells' : 'buys']),
    liquidityUsd: own.length === 0 ? 0 : sumKnown(own, ({ liquidityUsd }) => liquidityUsd),
    pools: own.length,
    marketCapUsd: main?.marketCapUsd,
    fdvUsd: main?.fdvUsd,
    createdMs: earliest(own),
  }
}

export const UNKNOWN_CHANGE = { m5: undefined, h1: undefined, h6: undefined, h24: undefined }

/** Pools whose price was rounded to next to nothing tell it only where no other does. */
function mostLiquid(pairs: readonly DexPair[]): DexPair | undefined {
  const byLiquidity = pairs.toSorted((a, b) => (b.liquidityUsd ?? 0) - (a.liquidityUsd ?? 0))
  return byLiquidity.find((pair) => !isRounded(pair)) ?? byLiquidity[0]
}

/** Anybody can make a pool against a token whose worth he has made up, for money as well. */
function isAgainstMoney(address: string, pair: DexPair): boolean {
  return isMoneyPair(address, pair) && (pair.liquidityUsd ?? 0) >= MIN_MONEY_POOL_USD
}

const isMoneyPair = (address: string, { base, quote }: DexPair): boolean =>
  isGenuine((base.address === address ? quote : base).address)

/** Where it is not told, half of the pool is money. */
function toMoneyPool(address: string, pair: DexPair): MoneyPool {
  const isBase = pair.base.address === address
  const [amount, priceUsd] = isBase
    ? [pair.quoteAmount, pair.quotePriceUsd]
    : [pair.baseAmount, pair.basePriceUsd]
  const liquidityUsd = pair.liquidityUsd ?? 0
  const told = amount === undefined || priceUsd === undefined ? liquidityUsd / 2 : amount * priceUsd
  return { id: pair.id, moneyUsd: Math.min(told, liquidityUsd) }
}

/** A new pool without a day behind it must not hide how the price fell in the one that was drained for it. */
function worstChange(address: string, asBase: readonly DexPair[]): number | undefined {
  const known = asBase
    .filter((pair) => isMoneyPair(address, pair))
    .flatMap(({ changePercent }) => changePercent.h24 ?? [])
  return known.length === 0 ? undefined : known.reduce((a, b) => Math.min(a, b))
}

/** Only small prices lose digits: they are sent with a fixed number of decimals. */
const SMALL_PRICE = 0.01
const MIN_DIGITS = 3

const isRounded = ({ basePriceUsd, priceInQuote }: DexPair): boolean =>
  [basePriceUsd, priceInQuote].every(
    (price) => price !== undefined && price < SMALL_PRICE && digitsOf(price) < MIN_DIGITS,
  )

/** 0.0047 has two. */
const digitsOf = (price: number): number => price.toExponential().replace(/e.*$/, '').replace('.', '').length

/** Undefined where none is known. */
function sumKnown(pairs: readonly DexPair[], of: (pair: DexPair) => number | undefined): number | undefined {
  const known = pairs.flatMap((pair) => of(pair) ?? [])
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0)
}

function earliest(pairs: readonly DexPair[]): number | undefined {
  const times = pairs.flatMap(({ createdAtMs }) => createdAtMs ?? [])
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b))
}
