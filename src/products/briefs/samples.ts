import type { z } from 'zod'
import { sampleTime } from '../fields.ts'
import type { PartFields } from '../part-fields.ts'
import type { Mood } from './mood-part.ts'

export const samplePart = (source: string): z.input<typeof PartFields> => ({
  source,
  timestamp: sampleTime,
  status: 'fresh',
})

export const sampleMood: z.input<typeof Mood> = {
  mood: 'bullish',
  score: 0.3986,
  fear_greed: { value: 69, word: 'Greed' },
  regime: 'trending',
  known_weight: 1,
  missing: [],
  coins: [{ coin: 'BTC', score: 0.3986, label: 'bullish' }],
}
