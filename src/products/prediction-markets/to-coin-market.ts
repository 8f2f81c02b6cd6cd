import { shownText } from '../../core/shown-text.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { secondsRemaining } from '../../core/time/window.ts'
import { bestSideOf, edgesOf, type Side } from '../../market/prediction/edge.ts'
import { isFeeKnown } from '../../market/prediction/fee.ts'
import type { FiveMinuteMarket } from '../../upstreams/polymarket/five-minute-market.ts'
import type { TokenBook } from '../../upstreams/polymarket/token-book.ts'
import { isoTime } from '../fields.ts'
import { toVerdict } from '../signals/fields.ts'
import type { OpenWindow } from './open-window.ts'
import { priceToBeat, toOracleSource } from './price-to-beat.ts'
import type { PredictionServices } from './services.ts'
import { roundMicro, shownUsd } from './shown-number.ts'
import { toOutcome } from './to-outcome.ts'
import type { CoinMarket } from './window-fields.ts'

/** The venue's list of an open window is read every 20 seconds; this allows for some reads that fail. */
const LISTED_FRESH_MS = 2 * MINUTE_MS
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
    ...toMarketFields(open),
    ...priceToBeat(services, open),
    up: outcome('UP', book.up),
    down: outcome('DOWN', book.down),
    best_side: bestSideOf(edges) ?? null,
    probability_up,
    abstain,
    probability_kind: signal.priceKind,
    probability_source: sourceOf(services, open),
    probability_timestamp: isoTime(signal.asOfMs),
    probability_age_ms: ageOf(nowMs, signal.asOfMs),
    book_timestamp: isoTime(book.asOfMs),
    book_age_ms: ageOf(nowMs, book.asOfMs),
    ...toRecordId(services, open),
  }
}

export const ageOf = (nowMs: number, asOfMs: number): number => Math.max(0, Math.round(nowMs - asOfMs))

const isListedOld = ({ nowMs, book }: OpenWindow) => nowMs - book.marketAsOfMs > LISTED_FRESH_MS

/** Spot is measured on trades of the venues, the average on what the oracle says. */
function sourceOf({ market }: PredictionServices, { coin, signal }: OpenWindow) {
  const tick = signal.priceKind === 'twap_60s' ? market.oracle(coin).last.twap_60s : undefined
  return tick ? toOracleSource(tick) : null
}

const probabilityOf = (side: Side, up: number) => (side === 'UP' ? up : roundMicro(1 - up))
const termsOf = ({ minOrderSize, fee }: FiveMinuteMarket) => ({ minShares: minOrderSize, fee })

/** An edge is between a price and the probability of the same thing. */
function whyNoEdge(open: OpenWindow): string | undefined {
  const { market } = open.book
  const { signal } = open
  if (isListedOld(open)) return 'whether the venue takes orders was not read for two minutes'
  if (!market.acceptingOrders || market.closed) return 'the venue takes no orders'
  if (market.version !== PRICED_VERSION)
    return `protocol ${shownText(market.version, VERSION_CHARS)} markets are not priced by us yet`
  if (market.negRisk) return 'neg-risk markets are not priced by us yet'
  if (market.resolution.kind !== signal.priceKind)
    return `the market resolves on ${market.resolution.kind}, our probability is of ${signal.priceKind}`
  return isFeeKnown(market.fee) ? undefined : 'the fee cannot be computed'
}

function toMarketFields(open: OpenWindow) {
  const { nowMs, book } = open
  const { market, marketAsOfMs } = book
  const { window, resolution, fee } = market
  const isOld = isListedOld(open)
  return {
    slug: market.slug,
    condition_id: market.conditionId,
    question: shownText(market.question, QUESTION_CHARS),
    window_start: window.startS,
    window_end: window.endS,
    seconds_remaining: secondsRemaining(window, nowMs),
    accepting_orders: isOld ? null : market.acceptingOrders && !market.closed,
    tick_size: market.tickSize,
    min_order_size: market.minOrderSize,
    fee: fee ? { ...fee, taker_only: true as const } : null,
    resolution: {
      kind: resolution.kind,
      source: shownText(resolution.source, SOURCE_CHARS),
      rule: RULES[resolution.kind],
    },
    volume_usd: isOld ? null : shownUsd(market.volumeUsd),
    liquidity_usd: isOld ? null : shownUsd(market.liquidityUsd),
    market_timestamp: isoTime(marketAsOfMs),
    market_age_ms: ageOf(nowMs, marketAsOfMs),
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
