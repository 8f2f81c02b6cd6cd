import { MINUTE_MS } from '../../../core/time/time.ts'
import { VENUES, type Venue } from '../../../feeds/events.ts'
import {
  DEPTHS,
  fieldOf,
  type MinuteSample,
  type SampleAt,
  type SampleField,
} from '../../samples/minute-sample.ts'

/** Raise this whenever a definition below changes: what was learnt from other inputs is then not used. */
export const OWN_FEATURE_VERSION = 1

/** Inputs that candles do not give, each −2..2, 0 when unknown, and with the opposite sign in a mirrored market. */
export const OWN_FEATURES = [
  ...VENUES.flatMap((venue) => [
    ...DEPTHS.map((levels) => `${venue}_imbalance_${levels}` as const),
    `${venue}_flow_1` as const,
    `${venue}_flow_5` as const,
  ]),
  'lead',
  'funding',
  'market_gap',
] as const

/** An older book says nothing about the end of the minute. */
const FRESH_MS = 10_000
const FLOW_MIN = 5
/** The venue's prices end a cent from 0 and 1; closer to them the tick decides. */
const ODDS_EDGE = 0.01
const LOGIT_MAX = Math.log((1 - ODDS_EDGE) / ODDS_EDGE)
const BPS = 10_000
const SQUASH = 2

export type OwnInput = {
  /** The end of the newest minute. */
  endMs: number
  sampleAt: SampleAt
  /** Deviation of a minute's log return. */
  unit: number
  /** What the model says without these inputs, for the same moment. */
  logit: number
}

export function fillOwnFeatures(out: Float64Array, { endMs, sampleAt, unit, logit }: OwnInput): void {
  out.fill(0)
  const sample = sampleAt(endMs)
  if (!sample) return
  let at = 0
  for (const venue of VENUES) {
    for (const levels of DEPTHS) out[at++] = fresh(sample, venue, `${venue}_imbalance_${levels}`)
    out[at++] = flowOver(sampleAt, endMs, venue, 1)
    out[at++] = flowOver(sampleAt, endMs, venue, FLOW_MIN)
  }
  out[at++] = leadOf(sample) / unit
  out[at++] = fieldOf(sample, 'funding_bps')
  out[at++] = gapOf(sample, logit)
  for (let each = 0; each < at; each++) {
    const value = out[each] ?? 0
    out[each] = Number.isFinite(value) ? SQUASH * Math.tanh(value / SQUASH) : 0
  }
}

function fresh(sample: MinuteSample, venue: Venue, name: SampleField): number {
  return fieldOf(sample, `${venue}_book_age_ms`) <= FRESH_MS ? fieldOf(sample, name) : Number.NaN
}

/** Bought less sold at market over their sum, over the newest minutes; NaN where one of them is unknown. */
function flowOver(sampleAt: SampleAt, endMs: number, venue: Venue, minutes: number): number {
  let buy = 0
  let sell = 0
  for (let ago = 0; ago < minutes; ago++) {
    const sample = sampleAt(endMs - ago * MINUTE_MS)
    if (!sample) return Number.NaN
    buy += fieldOf(sample, `${venue}_buy`)
    sell += fieldOf(sample, `${venue}_sell`)
  }
  return buy + sell === 0 ? 0 : (buy - sell) / (buy + sell)
}

/** How much further the USDT venue stands from the dollar venue than usual, as a logarithm. */
function leadOf(sample: MinuteSample): number {
  const [usdt, usd] = [fresh(sample, 'binance', 'binance_mid'), fresh(sample, 'coinbase', 'coinbase_mid')]
  return Math.log(usdt / usd) - fieldOf(sample, 'basis_bps') / BPS
}

/** How much likelier UP is by the prediction market's price than by the model, as logits. */
function gapOf(sample: MinuteSample, logit: number): number {
  if (!(fieldOf(sample, 'up_age_ms') <= FRESH_MS)) return Number.NaN
  const [bid, ask] = [fieldOf(sample, 'up_bid'), fieldOf(sample, 'up_ask')]
  if (Number.isNaN(bid) && Number.isNaN(ask)) return Number.NaN
  // Near the end one side is empty: nobody sells what is about to pay 1, nobody buys what is about to pay nothing.
  const mid = ((Number.isNaN(bid) ? 0 : bid) + (Number.isNaN(ask) ? 1 : ask)) / 2
  const odds = Math.max(ODDS_EDGE, Math.min(1 - ODDS_EDGE, mid))
  return Math.log(odds / (1 - odds)) - Math.max(-LOGIT_MAX, Math.min(LOGIT_MAX, logit))
}
