import { z } from 'zod'
import { COINS } from '../../core/coin.ts'
import type { BlendedPart } from '../../intel/sentiment/blend.ts'
import type { FearGreed } from '../../intel/sentiment/fear-greed.ts'
import { MOMENTUM_SPANS, type Momentum } from '../../intel/sentiment/momentum.ts'
import { LABELS } from '../../intel/sentiment/mood.ts'
import { EXTREMES, type PartName, UNITS } from '../../intel/sentiment/scores.ts'
import { FEAR_GREED_WORDS } from '../../upstreams/fng/wire.ts'
import { PartFields, toPartFields } from '../part-fields.ts'
import type { SentimentServices } from './services.ts'

export const INDEX_NOTE = 'An index of the present mood, not a forecast'
export const Note = z.string().describe('What the figures are, and what they are not')

export const CoinName = z.enum(COINS)
export const Label = z.enum(LABELS)
export const Extremes = z
  .array(z.enum(EXTREMES))
  .describe('Moods so one-sided that many read them the other way round; they do not change the score')

const PART_NAMES = Object.keys(UNITS) as [PartName, ...PartName[]]
const Score = z.number().min(-1).max(1)
const Weight = z.number().min(0).max(1)

export const SentimentPart = z.object({
  name: z.enum(PART_NAMES),
  score: Score.nullable().describe('From -1 (bearish) to 1 (bullish); null while the part is missing'),
  weight: Weight.describe('Its weight when nothing is missing'),
  weight_used: Weight.describe('Its weight now: what is missing is spread over the others in proportion'),
  reading: z.number().nullable().describe('The figure that the score is made of, in its unit'),
  trades: z
    .int()
    .min(0)
    .optional()
    .describe('Large trades that the reading is of; only where the part is whale_flow'),
  abstain: z
    .boolean()
    .optional()
    .describe(
      'True when our signal abstains: its score is then 0, whatever it reads; only where the part is signal',
    ),
  unit: z.string(),
  ...PartFields.shape,
})

export function toSentimentPart(
  { name, part, weight, weightUsed }: BlendedPart,
  { sourceOf }: Pick<SentimentServices, 'sourceOf'>,
): z.input<typeof SentimentPart> {
  return {
    name,
    score: part.value === undefined ? null : round(part.value.score),
    weight,
    weight_used: round(weightUsed),
    reading: part.value === undefined ? null : roundReading(part.value.reading),
    ...(part.value?.trades !== undefined && { trades: part.value.trades }),
    ...(part.value?.abstain !== undefined && { abstain: part.value.abstain }),
    unit: UNITS[name],
    ...toPartFields(part, sourceOf),
  }
}

const Value = z.number().min(0).max(100)
export const FearGreedFields = z.object({
  value: Value.nullable().describe('From 0 (fear) to 100 (greed); null while it is missing'),
  word: z.enum(FEAR_GREED_WORDS).nullable(),
  day_ago: Value.nullable(),
  week_ago: Value.nullable(),
  month_ago: Value.nullable(),
  ...PartFields.shape,
})

export function toFearGreedFields({
  sentiment,
  sourceOf,
}: SentimentServices): z.input<typeof FearGreedFields> {
  const part = sentiment.fearGreed()
  const known: Partial<FearGreed> = part.value ?? {}
  return {
    value: known.value ?? null,
    word: known.word ?? null,
    day_ago: known.dayAgo ?? null,
    week_ago: known.weekAgo ?? null,
    month_ago: known.monthAgo ?? null,
    ...toPartFields(part, sourceOf),
  }
}

const SPAN_NAMES = MOMENTUM_SPANS.map(({ name }) => name)
export const Changes = z
  .object(
    Object.fromEntries(SPAN_NAMES.map((name) => [name, z.number().nullable()])) as Record<
      (typeof SPAN_NAMES)[number],
      z.ZodNullable<z.ZodNumber>
    >,
  )
  .describe('Change of the price in percent by span; null while less is known')

export function toChanges({ spans }: Momentum): z.input<typeof Changes> {
  const percentOf = (name: string) => spans.find((span) => span.name === name)?.changePercent
  const shown = SPAN_NAMES.map((name) => {
    const percent = percentOf(name)
    return [name, percent === undefined ? null : round(percent)] as const
  })
  return Object.fromEntries(shown) as z.input<typeof Changes>
}

/** Adding 0 turns -0 into 0. */
const toSteps = (value: number, steps: number): number => Math.round(value * steps) / steps + 0
export const round = (value: number): number => toSteps(value, 1e4)
/** Of scores as they are shown, so that a reader finds the same. */
export const meanScore = (coins: readonly { score: number }[]): number =>
  round(coins.reduce((sum, { score }) => sum + score, 0) / coins.length)
/** So fine that whoever puts a reading into the formula gets the score, to its last digit. */
const roundReading = (value: number): number => toSteps(value, 1e8)
