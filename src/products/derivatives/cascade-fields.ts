import { z } from 'zod'
import {
  CASCADE_PARTS,
  type CascadeInput,
  type CascadePart,
  type CascadeRisk,
} from '../../intel/derivatives/cascade-risk.ts'
import type { Part } from '../../intel/part.ts'
import { Method, methodLink } from '../method-link.ts'
import { PartFields, toPartFields } from '../part-fields.ts'
import { shownFunding } from './funding-percent.ts'
import { shownDigits } from './shown-digits.ts'

const METHOD = methodLink('derivatives', 'liquidation-cascade-risk')
/** A part that counts at least so much is a reason. */
const REASON_FROM = 0.3

const maybe = () => z.number().nullable()
const maybeUsd = () => z.number().min(0).nullable()

/** Enough to compute every part again by the method. */
const Inputs = z
  .object({
    open_interest_usd: maybeUsd().describe('Of the venues that tell a volume, or of all where none does'),
    volume_24h_usd: maybeUsd().describe('Of the same venues'),
    open_interest_change_24h_percent: maybe(),
    funding_rate_8h_percent: maybe(),
    liquidated_last_hour_usd: maybeUsd().describe('Scaled up to the whole hour by coverage'),
    liquidated_usual_hour_usd: maybeUsd().describe('Mean hour of the 23 hours before it'),
    volatility_ratio: maybeUsd().describe('Volatility of the last hour divided by that of the last day'),
  })
  .describe('What the parts are made of; null: not known')

const Strain = z.number().min(0).max(1).nullable()

export const CascadeScore = z.number().min(0).max(100).describe('From 0 (calm) to 100')
export const CascadeLevel = z.enum(['low', 'moderate', 'high', 'extreme'])
export const KnownWeight = z.number().min(0).max(1).describe('Share of the weight that is known')

/** How much of what usually precedes a cascade of liquidations is there; null while too little is known. */
export const CascadeFields = z.object({
  score: CascadeScore.nullable(),
  level: CascadeLevel.nullable(),
  exposed_side: z.enum(['longs', 'shorts', 'both']).nullable().describe('Who would be liquidated first'),
  reasons: z.array(z.string()),
  parts: z
    .object({ leverage: Strain, buildup: Strain, funding: Strain, liquidations: Strain, volatility: Strain })
    .describe('0: calm, 1: counts in full, null: not known'),
  inputs: Inputs.nullable().describe('Null while there is no score'),
  known_weight: KnownWeight.nullable(),
  method: Method,
  ...PartFields.shape,
})

export function toCascadeFields(
  part: Part<CascadeRisk>,
  sourceOf: (source: string) => string,
): z.input<typeof CascadeFields> {
  const { value: risk } = part
  const shown = (name: CascadePart) => shownDigits(risk?.parts[name], 3)
  return {
    score: shownDigits(risk?.score, 1),
    level: risk?.level ?? null,
    exposed_side: risk?.exposedSide ?? null,
    reasons: risk ? reasonsOf(risk) : [],
    parts: {
      leverage: shown('leverage'),
      buildup: shown('buildup'),
      funding: shown('funding'),
      liquidations: shown('liquidations'),
      volatility: shown('volatility'),
    },
    inputs: risk ? toInputs(risk.inputs) : null,
    known_weight: shownDigits(risk?.known, 2),
    method: METHOD,
    ...toPartFields(part, sourceOf),
  }
}

function toInputs(inputs: CascadeInput): z.input<typeof Inputs> {
  const { openInterestUsd, volume24hUsd, openInterestChange24h, funding8h, liquidations } = inputs
  const percent = openInterestChange24h === undefined ? undefined : openInterestChange24h * 100
  return {
    open_interest_usd: shownDigits(openInterestUsd, 2),
    volume_24h_usd: shownDigits(volume24hUsd, 2),
    open_interest_change_24h_percent: shownDigits(percent, 3),
    funding_rate_8h_percent: shownFunding(funding8h),
    liquidated_last_hour_usd: shownDigits(liquidations?.lastHourUsd, 2),
    liquidated_usual_hour_usd: shownDigits(liquidations?.usualHourUsd, 2),
    volatility_ratio: shownDigits(inputs.volatilityRatio, 4),
  }
}

const WORDS: Readonly<Record<CascadePart, string>> = {
  leverage: 'open positions are large beside a day of trading',
  buildup: 'positions have grown fast within a day',
  funding: 'funding is far from neutral: one side pays much to stay in',
  liquidations: 'liquidations of the last hour are far above the usual',
  volatility: 'the last hour moved more than the day before',
}

/** The strongest first. */
function reasonsOf({ parts }: CascadeRisk): string[] {
  const strong = CASCADE_PARTS.filter((part) => (parts[part] ?? 0) >= REASON_FROM)
  const sorted = strong.sort((a, b) => (parts[b] ?? 0) - (parts[a] ?? 0)).map((part) => WORDS[part])
  return sorted.length > 0 ? sorted : ['nothing that is known points to a cascade']
}
