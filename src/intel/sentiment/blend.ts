import type { Part } from '../part.ts'
import type { PartName, Reading } from './scores.ts'

/** Parts by their weight; the weights of one index make 1. */
export type Weights = Partial<Readonly<Record<PartName, number>>>
export type Parts = Readonly<Record<PartName, Part<Reading>>>

export type BlendedPart = {
  name: PartName
  part: Part<Reading>
  weight: number
  /** What it counted for: a missing part's weight is spread over the others in proportion. */
  weightUsed: number
}
export type Blend = {
  /** −1..1; undefined where too little is known. */
  score: number | undefined
  /** Sum of the weights of the parts that are there. */
  weightKnown: number
  /** Why there is no score; undefined while there is one. */
  missing: string | undefined
  parts: readonly BlendedPart[]
}

/** With less than half of its weight an index would be another one. */
export const MIN_WEIGHT = 0.5
/** The only part that is of one coin, ours, and of this minute. */
const ESSENTIAL: PartName = 'momentum'
/** Sums of decimal weights miss the half by less than this. */
const ROUNDING = 1e-9

export function blend(weights: Weights, parts: Parts): Blend {
  const named = (Object.entries(weights) as [PartName, number][]).map(([name, weight]) => ({
    name,
    weight,
    part: parts[name],
  }))
  const weightKnown = sumOf(named.map(({ part, weight }) => (part.status === 'missing' ? 0 : weight)))
  const blended = named.map((each) => ({
    ...each,
    weightUsed: each.part.status === 'missing' ? 0 : each.weight / weightKnown,
  }))
  const missing = whyMissing(parts[ESSENTIAL], weightKnown)
  const score = sumOf(blended.map(({ part, weightUsed }) => (part.value?.score ?? 0) * weightUsed))
  return {
    score: missing === undefined ? Math.max(-1, Math.min(1, score)) : undefined,
    weightKnown,
    missing,
    parts: blended,
  }
}

function whyMissing(essential: Part<Reading>, weightKnown: number): string | undefined {
  if (essential.status === 'missing') return `${ESSENTIAL} is missing: ${essential.reason}`
  if (weightKnown >= MIN_WEIGHT - ROUNDING) return undefined
  return `only ${Math.round(weightKnown * 100)} % of the weight is known, ${MIN_WEIGHT * 100} % is needed`
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
