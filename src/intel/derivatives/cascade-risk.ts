/** One basis point: the interest that all four venues put into the rate while perpetual and spot agree. */
export const NEUTRAL_FUNDING_8H = 1e-4

/** What is known of one coin over all venues; undefined where it is not. */
export type CascadeInput = {
  openInterestUsd: number | undefined
  /** Of the same venues. */
  volume24hUsd: number | undefined
  /** In coins, as a share: 0.1 is ten percent more than a day ago. */
  openInterestChange24h: number | undefined
  /** Weighted by open interest. */
  funding8h: number | undefined
  liquidations: { lastHourUsd: number; usualHourUsd: number } | undefined
  /** Volatility of the last hour in units of that of the last day. */
  volatilityRatio: number | undefined
}

export const CASCADE_PARTS = ['leverage', 'buildup', 'funding', 'liquidations', 'volatility'] as const
export type CascadePart = (typeof CASCADE_PARTS)[number]
export type CascadeLevel = 'low' | 'moderate' | 'high' | 'extreme'

export type CascadeRisk = {
  /** 0 to 100. */
  score: number
  level: CascadeLevel
  /** Who would be liquidated first: those who pay for their position. */
  exposedSide: 'longs' | 'shorts' | 'both'
  /** 0 to 1 each; undefined where its input is not known. */
  parts: Readonly<Record<CascadePart, number | undefined>>
  /** Of the weight of all parts the share that is known. */
  known: number
  /** What the parts were made of. */
  inputs: CascadeInput
}

/** Sums to 1. docs/methodology/derivatives.md says why. */
export const WEIGHTS: Readonly<Record<CascadePart, number>> = {
  leverage: 0.25,
  buildup: 0.15,
  funding: 0.2,
  liquidations: 0.2,
  volatility: 0.2,
}
/** Where each part begins to count, and where it counts in full. */
export const RANGES = {
  /** Open interest against the volume of a day. */
  leverage: { calm: 0.4, full: 1.6 },
  /** Growth of open interest within a day. */
  buildup: { calm: 0, full: 0.15 },
  /** Distance from the neutral rate, for eight hours. */
  funding: { calm: 1e-4, full: 9e-4 },
  /** Powers of ten above the usual hour: ten times is full. */
  burst: { calm: 0, full: 1 },
  /** Share of open interest that was liquidated within the hour. */
  liquidated: { calm: 0, full: 0.005 },
  volatility: { calm: 1, full: 3 },
} as const
/** With less of the weight known there is no score. */
const MIN_KNOWN = 0.6
export const LEVELS = { moderate: 25, high: 50, extreme: 75 } as const

/** Undefined where too little is known. */
export function cascadeRiskOf(input: CascadeInput): CascadeRisk | undefined {
  const { funding8h } = input
  const parts = partsOf(input)
  const knownParts = CASCADE_PARTS.flatMap((name) => {
    const value = parts[name]
    return value === undefined ? [] : { weight: WEIGHTS[name], value }
  })
  const known = knownParts.reduce((sum, { weight }) => sum + weight, 0)
  // Sums of weights leave a last digit behind.
  if (known < MIN_KNOWN - 1e-9) return undefined
  const sum = knownParts.reduce((total, { weight, value }) => total + weight * value, 0)
  const score = Math.min(100, (100 * sum) / known)
  return { score, level: levelOf(score), exposedSide: exposedSideOf(funding8h), parts, known, inputs: input }
}

function partsOf(input: CascadeInput): CascadeRisk['parts'] {
  const { openInterestUsd, volume24hUsd, openInterestChange24h, funding8h, volatilityRatio } = input
  return {
    leverage:
      openInterestUsd !== undefined && volume24hUsd !== undefined && volume24hUsd > 0
        ? within(openInterestUsd / volume24hUsd, RANGES.leverage)
        : undefined,
    buildup: openInterestChange24h === undefined ? undefined : within(openInterestChange24h, RANGES.buildup),
    funding:
      funding8h === undefined ? undefined : within(Math.abs(funding8h - NEUTRAL_FUNDING_8H), RANGES.funding),
    liquidations: liquidationPart(input),
    volatility: volatilityRatio === undefined ? undefined : within(volatilityRatio, RANGES.volatility),
  }
}

/** A burst counts only as far as it is large beside what is open: ten times nothing is nothing. */
function liquidationPart({ liquidations, openInterestUsd }: CascadeInput): number | undefined {
  if (!liquidations || !openInterestUsd) return undefined
  const { lastHourUsd, usualHourUsd } = liquidations
  if (lastHourUsd <= 0) return 0
  const burst = usualHourUsd > 0 ? within(Math.log10(lastHourUsd / usualHourUsd), RANGES.burst) : 1
  return Math.min(burst, within(lastHourUsd / openInterestUsd, RANGES.liquidated))
}

const within = (value: number, { calm, full }: { calm: number; full: number }): number =>
  Math.max(0, Math.min(1, (value - calm) / (full - calm)))

function levelOf(score: number): CascadeLevel {
  if (score >= LEVELS.extreme) return 'extreme'
  if (score >= LEVELS.high) return 'high'
  return score >= LEVELS.moderate ? 'moderate' : 'low'
}

function exposedSideOf(funding8h: number | undefined): CascadeRisk['exposedSide'] {
  if (funding8h === undefined || within(Math.abs(funding8h - NEUTRAL_FUNDING_8H), RANGES.funding) === 0)
    return 'both'
  return funding8h > NEUTRAL_FUNDING_8H ? 'longs' : 'shorts'
}
