import { z } from 'zod'
import { wilsonInterval } from '../../core/math/wilson.ts'
import { roundMicro } from '../../products/prediction-markets/shown-number.ts'
import { Count } from '../fields.ts'

/** A signal whose window is over. */
export type Judged = { side: 'UP' | 'DOWN'; confidence: number; isHit: boolean }

/** Fewer say little: 15 hits of 30 are also what rates from 33 to 67 % bring. */
export const MEANINGFUL_COUNT = 30

const Rate = z.number().min(0).max(1)

export const HitRate = z.object({
  count: Count,
  hits: Count,
  hit_rate: Rate.nullable().describe('null while there are none'),
  low: Rate.describe('Lower end of the 95 % Wilson interval'),
  high: Rate.describe('Upper end of it'),
  brier: Rate.nullable().describe('Mean square of confidence less outcome; 0.25 is what a coin flip gets'),
  means_little: z.boolean().describe(`True below ${MEANINGFUL_COUNT}`),
})

export function toHitRate(judged: readonly Judged[]): z.input<typeof HitRate> {
  const count = judged.length
  const hits = judged.filter(({ isHit }) => isHit).length
  const { low, high } = wilsonInterval(hits, count)
  const squares = judged.reduce((sum, { confidence, isHit }) => sum + (confidence - Number(isHit)) ** 2, 0)
  return {
    count,
    hits,
    hit_rate: count === 0 ? null : roundMicro(hits / count),
    low: roundMicro(low),
    high: roundMicro(high),
    brier: count === 0 ? null : roundMicro(squares / count),
    means_little: count < MEANINGFUL_COUNT,
  }
}

/** Lower ends; each reaches to the next, and the last one to 1. */
const BUCKETS = [0, 0.5, 0.55, 0.6, 0.7, 0.8]

export const ConfidenceBucket = z.object({
  confidence_from: Rate,
  confidence_to: Rate.describe('Not included, but for 1'),
  ...HitRate.shape,
})

export function toBuckets(judged: readonly Judged[]): z.input<typeof ConfidenceBucket>[] {
  return BUCKETS.map((from, at) => {
    const to = BUCKETS[at + 1]
    const inside = judged.filter(
      ({ confidence }) => confidence >= from && (to === undefined || confidence < to),
    )
    return { confidence_from: from, confidence_to: to ?? 1, ...toHitRate(inside) }
  })
}
