import { z } from 'zod'
import { COINS } from '../../core/coin.ts'
import { LABELS, labelOf, marketRegime } from '../../intel/sentiment/mood.ts'
import { REGIMES } from '../../signals/signal.ts'
import { KnownWeight } from '../derivatives/cascade-fields.ts'
import { oldestMs } from '../part-fields.ts'
import { FearGreedFields, meanScore, round } from '../sentiment/fields.ts'
import { type BundlePart, whyAged } from './bundle-part.ts'
import type { BriefServices } from './services.ts'

const SOURCE = 'market_mood'
const Score = z.number().min(-1).max(1)

export const Mood = z.object({
  mood: z.enum(LABELS).describe('By the mean sentiment of the four coins'),
  score: Score.describe('That mean, from -1 (bearish) to 1 (bullish)'),
  fear_greed: FearGreedFields.pick({ value: true, word: true }).describe('Null while the index is missing'),
  regime: z.enum(REGIMES).nullable().describe('That of most coins'),
  known_weight: KnownWeight.describe('Of the coin of which least is known'),
  missing: z.array(z.string()).describe('Parts that are missing of any coin; their weight is spread'),
  coins: z.array(z.object({ coin: z.enum(COINS), score: Score, label: z.enum(LABELS) })),
})

/**
 * As `/market-mood` sells it, without what is behind each score. As old as the oldest part of any score but fear and
 * greed: that is a value of a whole day, and its status says whether it is the latest.
 */
export function moodPart({ sentiment }: Pick<BriefServices, 'sentiment'>): BundlePart<z.input<typeof Mood>> {
  const blends = COINS.map((coin) => ({ coin, ...sentiment.composite(coin) }))
  const lacking = blends.find(({ score }) => score === undefined)
  const parts = blends.flatMap((blend) => blend.parts)
  const asOfMs = oldestMs(parts.flatMap(({ name, part }) => (name === 'fear_greed' ? [] : part)))
  if (lacking || asOfMs === undefined)
    return { source: SOURCE, status: 'missing', reason: lacking?.missing ?? 'no momentum' }
  const coins = blends.map(({ coin, score = 0 }) => ({
    coin,
    score: round(score),
    label: labelOf(round(score)),
  }))
  const score = meanScore(coins)
  const fearGreed = sentiment.fearGreed().value
  return {
    source: SOURCE,
    status: parts.every(({ part }) => part.status === 'fresh') ? 'fresh' : 'aged',
    asOfMs,
    agedBecause: whyAged(parts),
    value: {
      mood: labelOf(score),
      score,
      fear_greed: { value: fearGreed?.value ?? null, word: fearGreed?.word ?? null },
      regime: marketRegime(COINS.flatMap((coin) => sentiment.regime(coin).value ?? [])) ?? null,
      known_weight: round(Math.min(...blends.map(({ weightKnown }) => weightKnown))),
      missing: [...new Set(parts.flatMap(({ name, part }) => (part.status === 'missing' ? name : [])))],
      coins,
    },
  }
}
