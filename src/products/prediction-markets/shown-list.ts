import type { z } from 'zod'
import { shownText } from '../../core/shown-text.ts'
import type { PredictionMarket } from '../../upstreams/polymarket/prediction-market.ts'
import type { ListedMarket, Odds } from './list-fields.ts'
import { CATEGORY_CHARS } from './list-fields.ts'
import { shownChange, shownPrice, shownTime, shownUsd } from './shown-number.ts'

const TITLE_CHARS = 200
const LABEL_CHARS = 60
const SLUG_CHARS = 200
const TOKEN_CHARS = 100
/** Markets have two; the bound is for a venue that says otherwise. */
const OUTCOMES_SHOWN = 10

/** A market fit to be shown, without what depends on the time of the request. */
export type ShownMarket = {
  fields: Omit<z.input<typeof ListedMarket>, 'active' | 'seconds_remaining'>
  volume1wkUsd: number | null
  endsAtMs: number | undefined
  listedAtMs: number | undefined
  isOpen: boolean
}

const known = new WeakMap<readonly PredictionMarket[], readonly ShownMarket[]>()

/**
 * The largest volume of a day first, unknown ones last, equal ones by slug: the same list gives the same order. Made once
 * for each list, because cleaning the texts of thousands of markets takes longer than all the rest of a reply.
 */
export function shownList(markets: readonly PredictionMarket[]): readonly ShownMarket[] {
  const shown = known.get(markets) ?? markets.map(toShown).sort(byVolume)
  known.set(markets, shown)
  return shown
}

export const isActive = ({ isOpen, endsAtMs }: ShownMarket, nowMs: number): boolean =>
  isOpen && (endsAtMs === undefined || endsAtMs > nowMs)

export function toListed(market: ShownMarket, nowMs: number): z.input<typeof ListedMarket> {
  const { fields, endsAtMs } = market
  const leftMs = endsAtMs === undefined ? undefined : Math.max(0, endsAtMs - nowMs)
  const seconds_remaining = leftMs === undefined ? null : Math.ceil(leftMs / 1000)
  return { ...fields, active: isActive(market, nowMs), seconds_remaining }
}

function byVolume({ fields: a }: ShownMarket, { fields: b }: ShownMarket): number {
  const difference = (b.volume_24h_usd ?? -1) - (a.volume_24h_usd ?? -1)
  return difference || (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0)
}

function toShown(market: PredictionMarket): ShownMarket {
  const { event } = market
  const ends_at = shownTime(market.endsAtMs)
  return {
    fields: {
      slug: shownText(market.slug, SLUG_CHARS),
      question: shownText(market.question, TITLE_CHARS),
      condition_id: shownText(market.conditionId, TOKEN_CHARS),
      event_slug: shownText(event.slug, SLUG_CHARS),
      event_title: shownText(event.title, TITLE_CHARS),
      category: shownText(market.category, CATEGORY_CHARS).toLowerCase() || 'other',
      accepting_orders: market.acceptingOrders ?? null,
      ends_at,
      outcomes: toOdds(market),
      best_bid: shownPrice(market.bestBid),
      best_ask: shownPrice(market.bestAsk),
      last_trade_price: shownPrice(market.lastTradePrice),
      price_change_24h: shownChange(market.priceChange24h),
      volume_24h_usd: shownUsd(market.volume24hUsd),
      volume_usd: shownUsd(market.volumeUsd),
      liquidity_usd: shownUsd(market.liquidityUsd),
    },
    volume1wkUsd: shownUsd(market.volume1wkUsd),
    endsAtMs: ends_at === null ? undefined : market.endsAtMs,
    listedAtMs: market.listedAtMs,
    isOpen: market.active && !market.closed,
  }
}

function toOdds({ outcomes }: PredictionMarket): z.input<typeof Odds> {
  return outcomes.slice(0, OUTCOMES_SHOWN).map(({ label, tokenId, price }) => ({
    label: shownText(label, LABEL_CHARS),
    token_id: tokenId === undefined ? null : shownText(tokenId, TOKEN_CHARS),
    price: shownPrice(price),
  }))
}
