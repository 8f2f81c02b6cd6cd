import { z } from 'zod'
import { MIN_WEIGHT } from '../../intel/sentiment/blend.ts'
import { labelOf } from '../../intel/sentiment/mood.ts'
import { extremesOf } from '../../intel/sentiment/scores.ts'
import { CoinName, Extremes, Label, round, SentimentPart, toSentimentPart } from './fields.ts'
import type { KnownBlend } from './known-blend.ts'
import type { SentimentServices } from './services.ts'

export const CompositeFields = z.object({
  coin: CoinName,
  score: z.number().min(-1).max(1).describe('From -1 (bearish) to 1 (bullish); 0 is neutral'),
  label: Label,
  known_weight: z
    .number()
    .min(0)
    .max(1)
    .describe(`Weight of the parts that are there; below ${MIN_WEIGHT} there is no score`),
  missing: z.array(z.string()).describe('Parts that are missing; their weight is spread over the others'),
  extremes: Extremes,
  parts: z.array(SentimentPart),
})

export function toCompositeFields(
  { coin, score, blend }: KnownBlend,
  services: SentimentServices,
): z.input<typeof CompositeFields> {
  return {
    coin,
    score: round(score),
    label: labelOf(round(score)),
    known_weight: round(blend.weightKnown),
    missing: blend.parts.flatMap(({ name, part }) => (part.status === 'missing' ? [name] : [])),
    extremes: [...extremesOf(services.sentiment.fearGreed().value, services.sentiment.funding(coin).value)],
    parts: blend.parts.map((part) => toSentimentPart(part, services)),
  }
}
