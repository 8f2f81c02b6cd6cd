import { findImitated, isGenuine } from '../tokens/risk/imitation.ts'
import { shownName } from '../tokens/shown-name.ts'
import { worthUsd } from './amount-text.ts'
import type { HeldToken, HeldTokens } from './facts/holdings.ts'
import type { TokenQuote } from './facts/token-quotes.ts'
import type { Concentration, Holding, WalletWealth } from './wallet-analysis.ts'

/** Below this the pools of a token cannot pay anybody: what it is worth is nothing. */
export const MIN_LIQUIDITY_USD = 1_000
/** Half of what lies in a pool is money, the other half the token. */
const MONEY_SHARE = 0.5
/** A market is believed up to so many times what another source sees. */
const LIQUIDITY_DOUBT = 10
/** The explorer's price confirms one that is at most so many times higher or lower. */
const PRICE_DOUBT = 2
/** Whoever makes up a token and its price rarely finds more who keep it. */
export const MIN_HOLDERS = 50
const ETHER_DECIMALS = 18
const ETHER = 'ETH'
/** Names with addresses of the web lure people to a site that asks for an approval. */
const LURE =
  /https?:|www\.|\b(?:claim|visit|airdrop|reward|bonus|voucher)\b|\.(?:com|io|org|net|xyz|app|finance|site|lol|top|cc|gift|vip)\b/i
/** Some honest projects are called after their site; nobody puts so much into the pool of a lure. */
const LURE_LIQUIDITY_USD = 100_000

type Input = {
  wei: bigint | undefined
  held: HeldTokens
  quotes: ReadonlyMap<string, TokenQuote>
  etherPriceUsd: number | undefined
}

export function toWealth({ wei, held, quotes, etherPriceUsd }: Input): WalletWealth {
  const holdings = held.rows
    .map((each) => toHolding(each, quotes.get(each.token)))
    .sort((a, b) => (b.valueUsd ?? 0) - (a.valueUsd ?? 0) || rank(a) - rank(b))
  const etherUsd =
    wei === undefined ? undefined : wei === 0n ? 0 : worthUsd(wei, ETHER_DECIMALS, etherPriceUsd)
  const tokensUsd = holdings.reduce((sum, { valueUsd }) => sum + (valueUsd ?? 0), 0)
  const isAnythingKnown = etherUsd !== undefined || holdings.some(({ valueUsd }) => valueUsd !== undefined)
  return {
    wei,
    etherPriceUsd,
    etherUsd,
    holdings,
    isComplete: held.isComplete,
    tokensUsd,
    totalUsd: isAnythingKnown ? (etherUsd ?? 0) + tokensUsd : undefined,
    concentration: toConcentration([
      [ETHER, etherUsd ?? 0],
      ...holdings.map(({ token, valueUsd }): [string, number] => [token, valueUsd ?? 0]),
    ]),
  }
}

/** What could not be valued comes before what is known to be worth nothing. */
const rank = ({ valueUsd, valuation }: Holding): number =>
  valueUsd === undefined ? 0 : valuation === 'scam' ? 2 : 1

export function toHolding(held: HeldToken, quote: TokenQuote | undefined): Holding {
  const { token, units, decimals } = held
  const { name, symbol, isWithheld } = shownName(held)
  const scamReason = isGenuine(token)
    ? undefined
    : isWithheld
      ? 'its name speaks to models instead of people'
      : (findScamReason(held, quote?.liquidityUsd) ?? quote?.scamReason)
  const shown = {
    token,
    name,
    symbol,
    decimals,
    units,
    priceUsd: quote?.priceUsd,
    scamReason,
    doubt: undefined,
  }
  const unknown = { ...shown, valueUsd: undefined, doubt: doubtOf(held, quote) }
  if (scamReason !== undefined) return { ...shown, valueUsd: 0, valuation: 'scam' }
  if (quote === undefined) return { ...unknown, valuation: 'not_looked_up' }
  const usd = worthUsd(units, decimals, quote.priceUsd)
  if (usd === undefined) return { ...unknown, valuation: 'no_price' }
  if (isGenuine(token)) return { ...shown, valueUsd: usd, valuation: 'valued' }
  const liquidityUsd = quote.liquidityUsd ?? 0
  if (liquidityUsd < MIN_LIQUIDITY_USD) return { ...shown, valueUsd: 0, valuation: 'low_liquidity' }
  const believedUsd = believedLiquidity(held, quote)
  if (believedUsd < MIN_LIQUIDITY_USD) return { ...unknown, valuation: 'unconfirmed' }
  const most = believedUsd * MONEY_SHARE
  return { ...shown, valueUsd: Math.min(usd, most), valuation: usd > most ? 'capped' : 'valued' }
}

/** What the explorer has a price of is no invention. What a market or a check could not tell of may be one. */
function doubtOf(
  { holders = MIN_HOLDERS, explorerPriceUsd = 0 }: HeldToken,
  quote: TokenQuote | undefined,
): Holding['doubt'] {
  if (explorerPriceUsd > 0) return 'priced_by_explorer'
  if (quote === undefined) return 'not_told'
  if (quote.priceUsd === undefined) return quote.isAnswered ? undefined : 'not_told'
  return quote.otherLiquidityUsd === undefined && holders >= MIN_HOLDERS ? 'not_told' : undefined
}

/** Anybody can make a pool against a token whose worth he has made up: one source alone is not believed. */
function believedLiquidity({ holders, explorerPriceUsd = 0 }: HeldToken, quote: TokenQuote): number {
  const { priceUsd = 0, liquidityUsd = 0, otherLiquidityUsd = 0 } = quote
  if (holders !== undefined && holders < MIN_HOLDERS) return 0
  const isPriceConfirmed =
    priceUsd <= explorerPriceUsd * PRICE_DOUBT && explorerPriceUsd <= priceUsd * PRICE_DOUBT
  return isPriceConfirmed ? liquidityUsd : Math.min(liquidityUsd, otherLiquidityUsd * LIQUIDITY_DOUBT)
}

/** What can be seen without asking anybody. */
function findScamReason(
  { token, name, symbol, reputation }: HeldToken,
  liquidityUsd: number | undefined,
): string | undefined {
  const imitated = findImitated(token, symbol)
  if (imitated !== undefined) return `it bears the symbol of ${imitated} and is another contract`
  if (reputation !== '' && reputation.toLowerCase() !== 'ok') return 'the explorer does not trust it'
  const isTraded = (liquidityUsd ?? 0) >= LURE_LIQUIDITY_USD
  if (!isTraded && (LURE.test(name) || LURE.test(symbol))) return 'its name lures people to a site'
  return undefined
}

/** Undefined where nothing has a value. */
export function toConcentration(assets: readonly (readonly [string, number])[]): Concentration | undefined {
  const total = assets.reduce((sum, [, usd]) => sum + usd, 0)
  const [largest] = assets.toSorted(([, a], [, b]) => b - a)
  if (!largest || !(total > 0)) return undefined
  const herfindahl = assets.reduce((sum, [, usd]) => sum + (usd / total) ** 2, 0)
  return { largest: largest[0], largestShare: largest[1] / total, herfindahl: Math.min(1, herfindahl) }
}
