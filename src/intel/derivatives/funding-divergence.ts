import type { DerivativesVenue } from './derivatives.ts'
import { medianOf } from './median.ts'

/** Spans of eight hours that must be known before anything is called unusual: three days. */
const MIN_PAST = 9
/** Makes a standard deviation of a median absolute deviation, for normal values. */
const MAD_TO_SD = 1.4826
/** A quarter of a basis point: below it, differences are rounding and timing. */
const MIN_SCALE = 0.25e-4
export const DIVERGENCE_LEVELS = { elevated: 2, extreme: 4 } as const

export type VenueFunding = { venue: DerivativesVenue; funding8h: number; openInterestUsd: number }

/** The usual spread, and how far spreads usually are from it. */
export type PastSpreads = { median: number; mad: number }

export type FundingDivergence = {
  /** Weighted by open interest, each venue with at most half of the weight. */
  mean8h: number
  highest: VenueFunding
  lowest: VenueFunding
  /** Between the highest and the lowest. */
  spread8h: number
  /** Each venue against the mean of the others, so that a large one does not hide behind its own weight. */
  deviations: readonly { venue: DerivativesVenue; deviation8h: number }[]
  /** How unusual the spread is; undefined while too little of the past is known. */
  score: number | undefined
  pastSpans: number
  /** What it is compared with; undefined where there is no score. */
  past: PastSpreads | undefined
  level: 'normal' | 'elevated' | 'extreme' | 'unknown'
}

/**
 * `pastSpreads` are those of what venues really settled. Undefined for fewer than two venues, or without any open
 * interest to weigh them by.
 */
export function divergenceOf(
  venues: readonly VenueFunding[],
  pastSpreads: readonly number[],
): FundingDivergence | undefined {
  const mean8h = weightedMean(venues)
  const [first, second] = venues
  if (mean8h === undefined || !first || !second) return undefined
  const highest = venues.reduce((best, each) => (each.funding8h > best.funding8h ? each : best), first)
  const lowest = venues.reduce((best, each) => (each.funding8h < best.funding8h ? each : best), first)
  const spread8h = highest.funding8h - lowest.funding8h
  const past = pastSpreads.length < MIN_PAST ? undefined : sumUpPast(pastSpreads)
  const score = past && scoreOf(spread8h, past)
  return {
    mean8h,
    highest,
    lowest,
    spread8h,
    deviations: venues.map((each) => {
      const others = weightedMean(venues.filter(({ venue }) => venue !== each.venue))
      return { venue: each.venue, deviation8h: each.funding8h - (others ?? mean8h) }
    }),
    score,
    pastSpans: pastSpreads.length,
    past,
    level: levelOf(score),
  }
}

/** Undefined where nothing is open anywhere. No venue weighs more than all others together: none decides alone. */
export function weightedMean(venues: readonly VenueFunding[]): number | undefined {
  const open = venues.reduce((sum, { openInterestUsd }) => sum + openInterestUsd, 0)
  const weights = venues.map(({ openInterestUsd }) =>
    openInterestUsd === open ? openInterestUsd : Math.min(openInterestUsd, open - openInterestUsd),
  )
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total === 0) return undefined
  return venues.reduce((sum, { funding8h }, at) => sum + funding8h * (weights[at] ?? 0), 0) / total
}

/** The spreads of past spans in which at least two venues settled, from each venue's sums by span. */
export function spreadsOf(sums: readonly ReadonlyMap<number, number>[]): readonly number[] {
  const spans = new Map<number, number[]>()
  for (const venue of sums)
    for (const [span, sum] of venue) spans.set(span, [...(spans.get(span) ?? []), sum])
  return [...spans.values()]
    .filter((settled) => settled.length >= 2)
    .map((settled) => Math.max(...settled) - Math.min(...settled))
}

/** A robust z-score: the distance to the median in units of the usual distance to it. */
function scoreOf(spread: number, { median, mad }: PastSpreads): number {
  return (spread - median) / Math.max(MAD_TO_SD * mad, MIN_SCALE)
}

function sumUpPast(past: readonly number[]): PastSpreads {
  const median = medianOf(past)
  return { median, mad: medianOf(past.map((each) => Math.abs(each - median))) }
}

function levelOf(score: number | undefined): FundingDivergence['level'] {
  if (score === undefined) return 'unknown'
  if (score >= DIVERGENCE_LEVELS.extreme) return 'extreme'
  return score >= DIVERGENCE_LEVELS.elevated ? 'elevated' : 'normal'
}
