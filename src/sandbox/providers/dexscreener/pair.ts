import { getAddress, isAddress } from 'viem'
import { DAY_MS } from '../../../core/time/time.ts'
import { type SimPool, type SimToken, SPANS, type Span } from '../../tokens/token-world.ts'
import { rounded, significantText } from '../decimal-text.ts'
import { type LivePool, type TokenMarket, wholeSupply } from '../token-market.ts'

const PRICE_DIGITS = 4
/** Tokens that last tell DexScreener who they are. */
const PROFILE_AFTER_MS = 7 * DAY_MS

const DEXES: Readonly<Record<SimPool['dex'], { dexId: string; label: string }>> = {
  'uniswap-v3-base': { dexId: 'uniswap', label: 'v3' },
  'uniswap-v4-base': { dexId: 'uniswap', label: 'v4' },
  'aerodrome-slipstream': { dexId: 'aerodrome', label: 'slipstream' },
}

/** A pair as DexScreener writes it: addresses in mixed case, prices with four digits, what was not traded left out. */
export function toPair({ pool, state, base, quote, quotePriceUsd }: LivePool, market: TokenMarket) {
  const { dexId, label } = DEXES[pool.dex]
  const side = state.liquidityUsd / 2
  const fdv = Math.round(state.priceUsd * wholeSupply(base))
  const traded = SPANS.filter((span) => state.trades[span].buys + state.trades[span].sells > 0)
  const figures = <T>(spans: readonly Span[], of: (span: Span) => T) =>
    Object.fromEntries(spans.map((span) => [span, of(span)]))
  return {
    chainId: 'base',
    dexId,
    url: `https://dexscreener.com/base/${pool.id}`,
    pairAddress: mixedCase(pool.id),
    labels: [label],
    baseToken: toToken(base),
    quoteToken: toToken(quote),
    priceNative: significantText(state.priceUsd / quotePriceUsd, PRICE_DIGITS),
    priceUsd: priceText(state.priceUsd),
    txns: figures(SPANS, (span) => ({ buys: state.trades[span].buys, sells: state.trades[span].sells })),
    volume: figures(SPANS.toReversed(), (span) => rounded(state.volumeUsd[span], 2)),
    priceChange: figures(traded, (span) => rounded(state.change[span], 2)),
    liquidity: {
      usd: rounded(state.liquidityUsd, 2),
      base: Math.round(side / state.priceUsd),
      quote: rounded(side / quotePriceUsd, 4),
    },
    fdv,
    marketCap: fdv,
    pairCreatedAt: pool.createdMs,
    ...(market.nowMs() - base.createdMs > PROFILE_AFTER_MS && { info: profileOf(base) }),
  }
}

/** Four digits, and cents for what costs more than a thousand. */
const priceText = (priceUsd: number) =>
  priceUsd >= 1_000 ? priceUsd.toFixed(2) : significantText(priceUsd, PRICE_DIGITS)

const toToken = ({ address, name, symbol }: SimToken) => ({ address: mixedCase(address), name, symbol })

/** Ids of v4 pools have no checksum. */
const mixedCase = (id: string) => (isAddress(id) ? getAddress(id) : id)

function profileOf({ address }: SimToken) {
  const site = `https://sandbox.invalid/${address}`
  return {
    imageUrl: `${site}/image.png`,
    websites: [{ url: site, label: 'Website' }],
    socials: [{ url: `${site}/posts`, type: 'twitter' }],
  }
}
