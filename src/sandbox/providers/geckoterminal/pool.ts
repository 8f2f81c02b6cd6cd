import { MINUTE_MS } from '../../../core/time/time.ts'
import { type PoolState, type SimPool, type SimToken, SPANS, type Span } from '../../tokens/token-world.ts'
import { roundedText, significantText } from '../decimal-text.ts'
import { type LivePool, type TokenMarket, wholeSupply } from '../token-market.ts'

export const PRICE_DIGITS = 15
const SHORT_DIGITS = 10

const DEX_NAMES: Readonly<Record<SimPool['dex'], string>> = {
  'uniswap-v3-base': 'Uniswap V3 (Base)',
  'uniswap-v4-base': 'Uniswap V4 (Base)',
  'aerodrome-slipstream': 'Aerodrome SlipStream',
}

/** Spans between those that the world knows: how much of the hour, beyond its last five minutes, belongs to them. */
const BETWEEN = { m15: 10 / 55, m30: 25 / 55 } as const
const BETWEEN_MS = { m15: 15 * MINUTE_MS, m30: 30 * MINUTE_MS } as const
type WireSpan = Span | keyof typeof BETWEEN
const WIRE_SPANS: readonly WireSpan[] = ['m5', 'm15', 'm30', 'h1', 'h6', 'h24']
const isBetween = (span: WireSpan): span is keyof typeof BETWEEN =>
  !(SPANS as readonly string[]).includes(span)

const eachSpan = <T>(of: (span: WireSpan) => T) =>
  Object.fromEntries(WIRE_SPANS.map((span) => [span, of(span)]))

export const refOf = (id: string) => `base_${id}`

export function toPool(live: LivePool, market: TokenMarket) {
  const { pool, state, base, quote, quotePriceUsd } = live
  const inQuote = state.priceUsd / quotePriceUsd
  const etherUsd = market.etherUsd()
  const fdv = state.priceUsd * wholeSupply(base)
  const native = (priceUsd: number) => (etherUsd ? significantText(priceUsd / etherUsd, PRICE_DIGITS) : 'NaN')
  return {
    id: refOf(pool.id),
    type: 'pool',
    attributes: {
      base_token_price_usd: significantText(state.priceUsd, PRICE_DIGITS),
      base_token_price_native_currency: native(state.priceUsd),
      quote_token_price_usd: significantText(quotePriceUsd, PRICE_DIGITS),
      quote_token_price_native_currency: native(quotePriceUsd),
      base_token_price_quote_token: significantText(inQuote, SHORT_DIGITS),
      quote_token_price_base_token: significantText(1 / inQuote, PRICE_DIGITS),
      address: pool.id,
      name: `${base.symbol} / ${quote.symbol}`,
      pool_created_at: secondText(pool.createdMs),
      fdv_usd: significantText(fdv, PRICE_DIGITS),
      market_cap_usd: null,
      price_change_percentage: eachSpan((span) => roundedText(changeOver(live, market, span), 3)),
      transactions: eachSpan((span) => tradesOver(state, span)),
      volume_usd: eachSpan((span) => roundedText(volumeOver(state, span), 10)),
      reserve_in_usd: roundedText(state.liquidityUsd, 4),
      sentiment_vote_positive_percentage: 0,
      sentiment_vote_negative_percentage: 0,
      community_sus_report: market.isRugged(base) || base.traits.isHoneypot ? 3 : 0,
    },
    relationships: {
      base_token: { data: { id: refOf(base.address), type: 'token' } },
      quote_token: { data: { id: refOf(quote.address), type: 'token' } },
      dex: { data: { id: pool.dex, type: 'dex' } },
    },
  }
}

/** What the pools refer to, each once. */
export function includedWith(pools: readonly LivePool[]) {
  const tokens = new Map(
    pools.flatMap(({ base, quote }) => [base, quote]).map((each) => [each.address, each]),
  )
  const dexes = new Set(pools.map(({ pool }) => pool.dex))
  return [
    ...[...tokens.values()].map((token) => ({
      id: refOf(token.address),
      type: 'token',
      attributes: tokenNames(token),
    })),
    ...[...dexes].map((dex) => ({ id: dex, type: 'dex', attributes: { name: DEX_NAMES[dex] } })),
  ]
}

export const tokenNames = ({ address, name, symbol, decimals }: SimToken) => ({
  address,
  name,
  symbol,
  decimals,
  image_url: 'missing.png',
  coingecko_coin_id: null,
})

export const secondText = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')

function changeOver({ pool, state, base }: LivePool, { world, nowMs }: TokenMarket, span: WireSpan): number {
  if (!isBetween(span)) return state.change[span]
  const thenMs = Math.max(pool.createdMs, nowMs() - BETWEEN_MS[span])
  const thenUsd = world.priceUsd(base.address, thenMs)
  return thenUsd ? (state.priceUsd / thenUsd - 1) * 100 : 0
}

/** As if the rest of the hour had been even. */
const betweenOf = (m5: number, h1: number, span: keyof typeof BETWEEN) => m5 + (h1 - m5) * BETWEEN[span]

const volumeOver = ({ volumeUsd }: PoolState, span: WireSpan) =>
  isBetween(span) ? betweenOf(volumeUsd.m5, volumeUsd.h1, span) : volumeUsd[span]

function tradesOver({ trades }: PoolState, span: WireSpan) {
  if (!isBetween(span)) return trades[span]
  const of = (name: keyof PoolState['trades']['m5']) =>
    Math.round(betweenOf(trades.m5[name], trades.h1[name], span))
  return { buys: of('buys'), sells: of('sells'), buyers: of('buyers'), sellers: of('sellers') }
}
