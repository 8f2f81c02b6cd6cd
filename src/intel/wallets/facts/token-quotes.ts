import type { Clock } from '../../../core/time/clock.ts'
import { LATE_REASON, type Part } from '../../part.ts'
import type { TokenFactsReader } from '../../tokens/facts/token-facts.ts'
import { isGenuine } from '../../tokens/risk/imitation.ts'
import { worthUsd } from '../amount-text.ts'
import { within } from '../within.ts'
import type { HeldToken } from './holdings.ts'

/** What a token is worth and whether it is a scam, as far as it was asked. */
export type TokenQuote = {
  priceUsd: number | undefined
  /** False: no price because nobody could be asked for it; else because nobody has one. */
  isAnswered: boolean
  liquidityUsd: number | undefined
  /** What GoPlus sees in its pools, where it was checked. */
  otherLiquidityUsd: number | undefined
  /** Who made it, where it was checked. */
  creator: string | undefined
  /** In words; undefined where nothing speaks for a scam. */
  scamReason: string | undefined
}
export type TokenQuotes = {
  /** By token; those that were not asked for are not there. */
  of: ReadonlyMap<string, TokenQuote>
  part: Part<unknown>
}

/** All prices and checks of one wallet together. */
export const QUOTES_WAIT_MS = 1_200
/** The other source is asked when the first has told nothing by then. */
const FIRST_WAIT_MS = 700
/** It takes one request for each token. */
const MAX_FALLBACKS = 12
/** Tokens whose price is asked for: two requests for a wallet. */
export const MAX_QUOTES = 60
/** Of those, tokens that only pass through. */
const MAX_PASSING = 20
/** Tokens that are checked for scams: the check is one request for each. */
export const MAX_CHECKS = 8
/** What claims to be worth less than this is not worth a check. */
const CHECKED_FROM_USD = 1
const WETH = '0x4200000000000000000000000000000000000006'

export type QuotesReader = {
  read(
    held: readonly HeldToken[],
    passing: readonly string[],
    /** Tokens that somebody may take. */
    approved?: ReadonlySet<string>,
  ): Promise<TokenQuotes>
}

type Ports = { clock: Clock; tokens: Pick<TokenFactsReader, 'readOne'> }

type Price = { priceUsd: number | undefined; liquidityUsd: number | undefined }

export function createTokenQuotes({ clock, tokens }: Ports): QuotesReader {
  const readPrices = async (
    asked: readonly string[],
    leftMs: () => number,
  ): Promise<readonly (Part<Price> | undefined)[]> => {
    const parts = await Promise.all(
      asked.map((token) => within(clock, FIRST_WAIT_MS, tokens.readOne('price', token))),
    )
    if (parts.some((part) => part?.value !== undefined)) return parts
    return Promise.all(
      asked.slice(0, MAX_FALLBACKS).map((token) => within(clock, leftMs(), tokens.readOne('market', token))),
    )
  }
  return {
    async read(held, passing, approved = new Set()) {
      const asked = toAsked(held, passing, approved)
      const endMs = clock.now() + QUOTES_WAIT_MS
      const leftMs = () => Math.max(0, endMs - clock.now())
      const parts = await readPrices(asked, leftMs)
      const quotes = new Map<string, TokenQuote>()
      for (const [i, token] of asked.entries()) {
        const { priceUsd, liquidityUsd } = parts[i]?.value ?? {}
        const unchecked = { otherLiquidityUsd: undefined, creator: undefined, scamReason: undefined }
        quotes.set(token, { priceUsd, liquidityUsd, isAnswered: isAnswered(parts[i]), ...unchecked })
      }
      believeExplorer(held, quotes)
      const suspects = toSuspects(held, quotes)
      await Promise.all(
        suspects.map(async (token) => {
          const security = (await within(clock, leftMs(), tokens.readOne('security', token)))?.value
          const quote = quotes.get(token)
          if (!security || !quote) return
          const otherLiquidityUsd = security.pools.reduce((sum, pool) => sum + (pool.liquidityUsd ?? 0), 0)
          const scamReason = scamReasonOf(security)
          quotes.set(token, { ...quote, otherLiquidityUsd, creator: security.creator, scamReason })
        }),
      )
      return { of: quotes, part: toPart(parts) }
    },
  }
}

const isAnswered = (part: Part<Price> | undefined): boolean =>
  part !== undefined && (part.status !== 'missing' || part.isDenied === true)

/** Ether is priced as wrapped ether. Then what the explorer knows a price of, what somebody may take, and what many hold. */
export function toAsked(
  held: readonly HeldToken[],
  passing: readonly string[],
  approved: ReadonlySet<string> = new Set(),
): readonly string[] {
  const worth = ({ units, decimals, explorerPriceUsd }: HeldToken) =>
    worthUsd(units, decimals, explorerPriceUsd) ?? 0
  const byPromise = held
    .filter(({ decimals }) => decimals !== undefined)
    .toSorted(
      (a, b) =>
        Number(isGenuine(b.token)) - Number(isGenuine(a.token)) ||
        worth(b) - worth(a) ||
        Number(approved.has(b.token)) - Number(approved.has(a.token)) ||
        (b.holders ?? 0) - (a.holders ?? 0),
    )
    .map(({ token }) => token)
  const own = [...new Set([WETH, ...byPromise])].slice(0, MAX_QUOTES - MAX_PASSING)
  return [...new Set([...own, ...passing.slice(0, MAX_PASSING), ...byPromise])].slice(0, MAX_QUOTES)
}

/** Where no market tells, the explorer is believed for those tokens that nobody can fake. */
function believeExplorer(held: readonly HeldToken[], quotes: Map<string, TokenQuote>): void {
  for (const { token, explorerPriceUsd } of held) {
    const quote = quotes.get(token)
    if (quote && quote.priceUsd === undefined && isGenuine(token))
      quotes.set(token, { ...quote, priceUsd: explorerPriceUsd })
  }
}

/** Those that would count most. */
function toSuspects(held: readonly HeldToken[], quotes: ReadonlyMap<string, TokenQuote>): readonly string[] {
  return held
    .filter(({ token }) => !isGenuine(token))
    .map(({ token, units, decimals }) => ({
      token,
      usd: worthUsd(units, decimals, quotes.get(token)?.priceUsd) ?? 0,
    }))
    .filter(({ usd }) => usd >= CHECKED_FROM_USD)
    .sort((a, b) => b.usd - a.usd)
    .slice(0, MAX_CHECKS)
    .map(({ token }) => token)
}

type Checked = {
  isHoneypot: boolean | undefined
  isAirdropScam: boolean | undefined
  isTrueToken: boolean | undefined
  canChangeBalances: boolean | undefined
}

function scamReasonOf({ isHoneypot, isAirdropScam, isTrueToken, canChangeBalances }: Checked) {
  if (isHoneypot === true) return 'it cannot be sold (GoPlus)'
  if (isAirdropScam === true) return 'it is handed out to lure people (GoPlus)'
  if (isTrueToken === false) return 'it imitates another token (GoPlus)'
  if (canChangeBalances === true) return 'its owner can take it away again (GoPlus)'
  return undefined
}

/** As old as its oldest price. */
function toPart(parts: readonly (Part<unknown> | undefined)[]): Part<unknown> {
  const source = parts.find((part) => part !== undefined)?.source ?? 'geckoterminal'
  const times = parts.flatMap((part) => part?.asOfMs ?? [])
  const isAged = parts.some((part) => part?.status === 'aged')
  if (times.length === 0) return { source, status: 'missing', reason: parts[0]?.reason ?? LATE_REASON }
  const asOfMs = times.reduce((a, b) => Math.min(a, b))
  return { source, status: isAged ? 'aged' : 'fresh', value: undefined, asOfMs }
}
