import { HOUR_MS } from '../../../core/time/time.ts'
import type { SimToken } from '../../tokens/token-world.ts'
import { roundedText, significantText } from '../decimal-text.ts'
import { type TokenMarket, wholeSupply } from '../token-market.ts'
import { PRICE_DIGITS, refOf, secondText, tokenNames } from './pool.ts'

const TOP_POOLS = 3
/** Holders of a new token are not counted yet. */
const HOLDERS_COUNTED_AFTER_MS = HOUR_MS
const TOP = [
  { name: 'top_10', from: 0, to: 10 },
  { name: '11_20', from: 10, to: 20 },
  { name: '21_40', from: 20, to: 40 },
] as const

/** What the pools of a token add up to. Undefined where it has none. */
export function figuresOf(token: SimToken, market: TokenMarket) {
  const pools = market.poolsOf(token)
  const priceUsd = market.world.priceUsd(token.address, market.nowMs())
  const deepest = pools.find(({ base }) => base.address === token.address)
  if (pools.length === 0 || priceUsd === undefined) return undefined
  return {
    pools,
    priceUsd,
    fdvUsd: priceUsd * wholeSupply(token),
    liquidityUsd: pools.reduce((sum, { state }) => sum + state.liquidityUsd, 0),
    volume24hUsd: pools.reduce((sum, { state }) => sum + state.volumeUsd.h24, 0),
    change24hPercent: deepest?.state.change.h24 ?? 0,
  }
}

export function toToken(token: SimToken, market: TokenMarket) {
  const figures = figuresOf(token, market)
  const text = (usd: number | undefined) => (usd === undefined ? null : significantText(usd, PRICE_DIGITS))
  return {
    id: refOf(token.address),
    type: 'token',
    attributes: {
      ...tokenNames(token),
      total_supply: `${token.totalSupply}.0`,
      normalized_total_supply: significantText(wholeSupply(token), PRICE_DIGITS),
      price_usd: text(figures?.priceUsd),
      fdv_usd: text(figures?.fdvUsd),
      total_reserve_in_usd: text(figures?.liquidityUsd),
      volume_usd: { h24: text(figures?.volume24hUsd) },
      market_cap_usd: null,
    },
    relationships: {
      top_pools: {
        data: (figures?.pools ?? [])
          .slice(0, TOP_POOLS)
          .map(({ pool }) => ({ id: refOf(pool.id), type: 'pool' })),
      },
    },
  }
}

export function toTokenInfo(token: SimToken, market: TokenMarket) {
  const { traits } = token
  const parts = scoreParts(token, market)
  const scores = Object.values(parts)
  const isCounted = market.nowMs() - token.createdMs >= HOLDERS_COUNTED_AFTER_MS
  return {
    id: refOf(token.address),
    type: 'token',
    attributes: {
      ...tokenNames(token),
      websites: [],
      discord_url: null,
      telegram_handle: null,
      twitter_handle: null,
      description: 'A token of a sandbox. Nothing about it is real.',
      gt_score: scores.reduce((sum, score) => sum + score, 0) / scores.length,
      gt_score_details: parts,
      gt_verified: false,
      categories: [],
      gt_category_ids: [],
      holders: isCounted ? holdersOf(token, market) : null,
      mint_authority: null,
      freeze_authority: null,
      is_honeypot: traits.isOpenSource ? traits.isHoneypot : 'unknown',
      developer_address: token.creator,
      developer_holding_percentage: roundedText(shareOf(token, market) * 100, 4),
    },
  }
}

function holdersOf(token: SimToken, { world, nowMs }: TokenMarket) {
  const holders = world.holders(token.address, nowMs())
  const percentOf = (from: number, to: number) =>
    100 * holders.slice(from, to).reduce((sum, { share }) => sum + share, 0)
  const shown = TOP.map(({ name, from, to }) => [name, roundedText(percentOf(from, to), 4)])
  return {
    count: world.holderCount(token.address, nowMs()),
    distribution_percentage: {
      ...Object.fromEntries(shown),
      rest: roundedText(Math.max(0, 100 - percentOf(0, 40)), 4),
    },
    last_updated: secondText(nowMs() - (nowMs() % HOUR_MS)),
  }
}

const shareOf = (token: SimToken, { world, nowMs }: TokenMarket) =>
  world.holders(token.address, nowMs()).find(({ address }) => address === token.creator)?.share ?? 0

/** Each from 0 to 100: more money, more trades, more holders and a longer life are better. */
function scoreParts(token: SimToken, market: TokenMarket) {
  const figures = figuresOf(token, market)
  const upTo = (value: number, best: number) => Math.min(100, (100 * Math.log1p(value)) / Math.log1p(best))
  const rounded = (score: number) => Number(score.toFixed(3))
  return {
    pool: rounded(upTo(figures?.liquidityUsd ?? 0, 1e6)),
    transaction: rounded(upTo(figures?.volume24hUsd ?? 0, 1e6)),
    creation: rounded(upTo((market.nowMs() - token.createdMs) / HOUR_MS, 24 * 30)),
    info: 0,
    holders: rounded(upTo(market.world.holderCount(token.address, market.nowMs()), 1e5)),
  }
}
