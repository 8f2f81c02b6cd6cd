import { MINUTE_MS, SECOND_MS } from '../../../../core/time/time.ts'
import type { PredictionVenue, VenueMarket } from '../../../prediction/venue.ts'
import { FEE, LEGACY_BASE_FEE } from '../fees.ts'
import { describeEvent, hexId } from '../gamma/describe.ts'
import { rowCreatedMs } from '../gamma/market.ts'
import { labelOf } from '../gamma/words.ts'
import { midOf, otherSide, toAmount, toPrice } from '../number-text.ts'
import { dayText, secondText } from '../wire-time.ts'

/** The order book learns of a winner this long after Gamma does. */
export const WINNER_LAG_MS = MINUTE_MS

/** A market as the order book lists it. */
export function toClobMarket(venue: PredictionVenue, market: VenueMarket) {
  const isGone = market.state === 'resolved'
  return {
    enable_order_book: !isGone,
    active: true,
    closed: isGone,
    archived: false,
    accepting_orders: market.acceptingOrders,
    accepting_order_timestamp: secondText(rowCreatedMs(market) - 87 * SECOND_MS),
    minimum_order_size: toAmount(market.minShares),
    minimum_tick_size: toPrice(market.tickE4),
    condition_id: market.conditionId,
    question_id: hexId(`question ${market.conditionId}`),
    question: market.question,
    description: describeEvent(market).description,
    market_slug: market.slug,
    end_date_iso: `${dayText(market.endsMs)}T00:00:00Z`,
    game_start_time: null,
    seconds_delay: 0,
    fpmm: '',
    maker_base_fee: LEGACY_BASE_FEE,
    taker_base_fee: LEGACY_BASE_FEE,
    notifications_enabled: true,
    neg_risk: false,
    neg_risk_market_id: '',
    neg_risk_request_id: '',
    rewards: { rates: null, min_size: 50, max_spread: 4.5 },
    is_50_50_outcome: false,
    tokens: tokensOf(venue, market),
    tags: market.tags.map(labelOf),
  }
}

/** A market in the short names of `/clob-markets`; `itode` says that takers are delayed. */
export function toMarketInfo(market: VenueMarket) {
  return {
    c: market.conditionId,
    t: market.tokenIds.map((t, index) => ({ t, o: market.outcomes[index] })),
    mts: toPrice(market.tickE4),
    fd: { r: FEE.rate, e: FEE.exponent, to: FEE.takerOnly },
    mbf: LEGACY_BASE_FEE,
    tbf: LEGACY_BASE_FEE,
    r: null,
    ao: market.acceptingOrders,
    mos: toAmount(market.minShares),
    itode: true,
  }
}

export function toSimplifiedMarket(venue: PredictionVenue, market: VenueMarket) {
  const { condition_id, rewards, tokens, active, closed, archived, accepting_orders } = toClobMarket(
    venue,
    market,
  )
  return { condition_id, rewards, tokens, active, closed, archived, accepting_orders }
}

function tokensOf(venue: PredictionVenue, market: VenueMarket) {
  const { resolvedMs = Number.POSITIVE_INFINITY } = market
  const winner = venue.nowMs() >= resolvedMs + WINNER_LAG_MS ? market.winner : undefined
  return market.tokenIds.map((token_id, index) => ({
    token_id,
    outcome: market.outcomes[index],
    price: winner === undefined ? priceOf(venue, market, index) : Number(winner === index),
    winner: winner === index,
  }))
}

/** The mid, or the last trade where there is no book. */
function priceOf(venue: PredictionVenue, market: VenueMarket, index: number): number {
  const book = venue.book(market.tokenIds[0])
  const last = market.lastTradeE4 === undefined ? 0.5 : toPrice(market.lastTradeE4)
  const first = midOf(book?.bids[0], book?.asks[0]) ?? last
  return Number((index === 0 ? first : toPrice(otherSide(first * 10_000))).toFixed(5))
}
