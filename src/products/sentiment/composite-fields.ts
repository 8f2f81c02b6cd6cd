import { z } from 'zod'
import { MIN_WEIGHT } from '../../intel/sentiment/blend.ts'
import { labelOf } from '../../intel/sentiment/mood.ts'
import { extremesOf } from '../../intel/sentiment/scores.ts'
import { CoinName, Extremes, Label, round, SentimentPart, samplePart, toSentimentPart } from './fields.ts'
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

export const sampleComposite: z.input<typeof CompositeFields> = {
  coin: 'BTC',
  score: 0.3986,
  label: 'bullish',
  known_weight: 1,
  missing: [],
  extremes: [],
  parts: [
    samplePart({ name: 'fear_greed', score: 0.38, weight: 0.2, reading: 69, source: 'alternative.me' }),
    samplePart({ name: 'momentum', score: 0.66, weight: 0.35, reading: 0.7928, source: 'binance_candles' }),
    samplePart({
      name: 'whale_flow',
      score: 0.26,
      weight: 0.2,
      reading: 0.36,
      trades: 13,
      source: 'exchange_trades',
    }),
    samplePart({ name: 'funding', score: 0.2006, weight: 0.15, reading: 0.0161, source: 'binance+bybit' }),
    samplePart({
      name: 'prediction_market',
      score: 0.1,
      weight: 0.05,
      reading: 0.55,
      source: 'polymarket_clob',
    }),
    samplePart({
      name: 'signal',
      score: 0.09,
      weight: 0.05,
      reading: 0.545,
      abstain: false,
      source: 'signal_engine',
    }),
  ],
}
