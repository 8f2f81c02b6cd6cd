import type { Hex } from 'viem'
import type { Page, ScoutTransaction, ScoutTransfer } from '../../upstreams/blockscout/wire.ts'
import { isGenuine } from '../tokens/risk/imitation.ts'
import { shownName } from '../tokens/shown-name.ts'
import { worthUsd } from './amount-text.ts'
import { sentIn } from './own-transactions.ts'
import type { Holding, RecentTransfer, Valuation } from './wallet-analysis.ts'

type Party = ScoutTransfer['from']

/** Tokens or ether that went to a wallet or from it. */
export type Movement = RecentTransfer & {
  other: Party
  isEther: boolean
  /** False: what anybody can do to any wallet: a token that is worth nothing, a transfer of nothing, dust that comes unasked. */
  isVerified: boolean
  /** The wallet sent the transaction; undefined where nobody can tell. */
  isOwn: boolean | undefined
  /** The holder signed for just this payment (EIP-3009). */
  isAuthorized: boolean
}

/** Less than this that comes unasked is dust: cents must not make anybody look bad. */
const DUST_USD = 1

/** Payments that anybody may carry out for the holder; USDC and EURC have them. */
const AUTHORIZED: ReadonlySet<string> = new Set(['transferWithAuthorization', 'receiveWithAuthorization'])
const ETHER_DECIMALS = 18
export const ETHER = 'ETH'

type Input = {
  wallet: string
  transfers: Page<ScoutTransfer> | undefined
  transactions: Page<ScoutTransaction> | undefined
  /** Price of a token, undefined where it counts as nothing. */
  priceOf(token: string): number | undefined
  etherPriceUsd: number | undefined
  /** When everything that the wallet sent is listed; never where that is not known. */
  listed?: { fromMs: number; toMs: number } | undefined
}

/** Newest first. What a wallet sends to itself moves nothing. */
export function toMovements(input: Input): readonly Movement[] {
  const { wallet, transfers, transactions, priceOf, etherPriceUsd, listed } = input
  const sent = new Set(sentIn(wallet, transactions).map(({ hash }) => hash))
  const isOwn = (hash: Hex, atMs: number) =>
    sent.has(hash) ? true : listed && atMs > listed.fromMs && atMs <= listed.toMs ? false : undefined
  const tokens = (transfers?.rows ?? []).map((row): Movement | undefined => {
    const { token, amount, hash, atMs } = row
    const usd = worthUsd(amount, token.decimals, priceOf(token.address))
    const named = { token: token.address, symbol: shownName(token).symbol, decimals: token.decimals }
    const isWorthSomething = amount > 0n && (isGenuine(token.address) || (usd ?? 0) > 0)
    const isVerified = sent.has(hash) || (isWorthSomething && !isDust(wallet, row.to, usd))
    const what = {
      ...{ hash, atMs, ...named, units: amount, usd, isEther: false, isVerified },
      isOwn: isOwn(hash, atMs),
      isAuthorized: isGenuine(token.address) && AUTHORIZED.has(row.method),
    }
    return between(wallet, row.from, row.to, what)
  })
  const ether = (transactions?.rows ?? []).map(({ from, to, wei, hash, atMs, isFailed }) => {
    if (isFailed || wei === 0n || to === undefined || atMs === undefined) return undefined
    const usd = worthUsd(wei, ETHER_DECIMALS, etherPriceUsd)
    const named = { token: ETHER, symbol: ETHER, decimals: ETHER_DECIMALS }
    return between(wallet, from, to, {
      hash,
      atMs,
      ...named,
      units: wei,
      usd,
      isEther: true,
      isVerified: !isDust(wallet, to, usd),
      isOwn: from.address === wallet,
      isAuthorized: false,
    })
  })
  return [...tokens, ...ether].filter((each) => each !== undefined).sort((a, b) => b.atMs - a.atMs)
}

const isDust = (wallet: string, to: Party, usd: number | undefined): boolean =>
  to.address === wallet && usd !== undefined && usd < DUST_USD

function between(
  wallet: string,
  from: Party,
  to: Party,
  what: Omit<Movement, 'direction' | 'counterparty' | 'other'>,
): Movement | undefined {
  if (from.address === to.address) return undefined
  if (from.address === wallet) return { ...what, direction: 'out', counterparty: to.address, other: to }
  if (to.address === wallet) return { ...what, direction: 'in', counterparty: from.address, other: from }
  return undefined
}

const WORTHLESS: ReadonlySet<Valuation> = new Set(['scam', 'low_liquidity', 'unconfirmed'])

/** What a token counts with, for tokens that are held and those that only pass through. */
export function priceByToken(
  holdings: readonly Holding[],
  quoteOf: (token: string) => { priceUsd: number | undefined; liquidityUsd: number | undefined } | undefined,
  minLiquidityUsd: number,
): (token: string) => number | undefined {
  const worthless = new Set(
    holdings.filter(({ valuation }) => WORTHLESS.has(valuation)).map(({ token }) => token),
  )
  const held = new Map(holdings.map(({ token, priceUsd }) => [token, priceUsd]))
  return (token) => {
    if (worthless.has(token)) return undefined
    if (held.has(token)) return held.get(token)
    const quote = quoteOf(token)
    return (quote?.liquidityUsd ?? 0) >= minLiquidityUsd ? quote?.priceUsd : undefined
  }
}
