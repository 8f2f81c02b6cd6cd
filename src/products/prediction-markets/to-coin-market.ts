import { secondsRemaining } from '../../core/time/window.ts'
import { bestSideOf, edgesOf, type Side } from '../../market/prediction/edge.ts'
import { isFeeKnown } from '../../market/prediction/fee.ts'
import type { FiveMinuteMarket } from '../../upstreams/polymarket/five-minute-market.ts'
import type { TokenBook } from '../../upstreams/polymarket/token-book.ts'
import { isoTime } from '../fields.ts'
import { toVerdict } from '../signals/fields.ts'
import type { OpenWindow } from './open-window.ts'
import { priceToBeat } from './price-to-beat.ts'
import type { PredictionServices } from './services.ts'
import { roundMicro, shownUsd } from './shown-number.ts'
import { shownText } from './shown-text.ts'
import { toOutcome } from './to-outcome.ts'
import type { CoinMarket } from './window-fields.ts'

const QUESTION_CHARS = 200
const SOURCE_CHARS = 200
/** Conditional tokens: the markets whose shares, fees and payouts we know. */
const PRICED_VERSION = 'v1'
const VERSION_CHARS = 20

/** The market of a coin beside what we say of the same window. The edge is of the probability as it is shown. */
export function toCoinMarket(services: PredictionServices, open: OpenWindow): CoinMarket {
  const { coin, nowMs, book, signal } = open
  const { market } = book
  const { probability_up, abstain } = toVerdict(signal)
  const noEdge = whyNoEdge(open)
  const edges = noEdge
    ? { UP: undefined, DOWN: undefined }
    : edgesOf(probability_up, { up: book.up.asks, down: book.down.asks }, termsOf(market))
  const outcome = (side: Side, of: TokenBook) =>
    toOutcome(of, probabilityOf(side, probability_up), edges[side], noEdge)
  return {
    coin,
    ...toMarketFields(market, nowMs),
    ...priceToBeat(services, open),
    up: outcome('UP', book.up),
    down: outcome('DOWN', book.down),
    best_side: bestSideOf(edges) ?? null,
    probability_up,
    abstain,
    probability_kind: signal.priceKind,
    probability_timestamp: isoTime(signal.asOfMs),
    probability_age_ms: ageOf(nowMs, signal.asOfMs),
    book_timestamp: isoTime(book.asOfMs),
    book_age_ms: ageOf(nowMs, book.asOfMs),
    ...toRecordId(services, open),
  }
}

export const ageOf = (nowMs: number, asOfMs: number): number => Math.max(0, Math.round(nowMs - asOfMs))

const probabilityOf = (side: Side, up: number) => (side === 'UP' ? up : roundMicro(1 - up))
const termsOf = ({ minOrderSize, fee }: FiveMinuteMarket) => ({ minShares: minOrderSize, fee })

/** An edge is between a price and the probability of the same thing. */
function whyNoEdge({ book: { market }, signal }: OpenWindow): string | undefined {
  if (!market.acceptingOrders || market.closed) return 'the venue takes no orders'
  if (market.version !== PRICED_VERSION)
    return `protocol ${shownText(market.version, VERSION_CHARS)} markets are not priced by us yet`
  if (market.negRisk) return 'neg-risk markets are not priced by us yet'
  if (market.resolution.kind !== signal.priceKind)
    return `the market resolves on ${market.resolution.kind}, our probability is of ${signal.priceKind}`
  return isFeeKnown(market.fee) ? undefined : 'the fee cannot be computed'
}

function toMarketFields(market: FiveMinuteMarket, nowMs: number) {
  const { window, resolution, fee } = market
  return {
    slug: market.slug,
    condition_id: market.conditionId,
    question: shownText(market.question, QUESTION_CHARS),
    window_start: window.startS,
    window_end: window.endS,
    seconds_remaining: secondsRemaining(window, nowMs),
    accepting_orders: market.acceptingOrders && !market.closed,
    tick_size: market.tickSize,
    min_order_size: market.minOrderSize,
    fee: fee ? { ...fee, taker_only: true as const } : null,
    resolution: {
      kind: resolution.kind,
      source: shownText(resolution.source, SOURCE_CHARS),
      rule: RULES[resolution.kind],
    },
    volume_usd: shownUsd(market.volumeUsd),
    liquidity_usd: shownUsd(market.liquidityUsd),
  }
}

const RULES: Record<FiveMinuteMarket['resolution']['kind'], string> = {
  twap_60s: 'UP if the 60-second average price at the end is at or above that at the start',
  spot: 'UP if the price at the end is at or above that at the start',
  other: 'Another rule, which the source states',
}

function toRecordId({ record }: PredictionServices, { coin, signal }: OpenWindow) {
  const entry = record?.entryFor(coin, signal.windowStartS)
  if (entry) return { record_id: entry.recordId }
  const record_reason = record ? record.whyNoEntry(coin, signal.windowStartS) : 'no record is kept here'
  return { record_id: null, record_reason }
}
