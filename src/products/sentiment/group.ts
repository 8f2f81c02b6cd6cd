import type { Group } from '../../catalog/group.ts'
import { compositeSentiment } from './composite.ts'
import { cryptoSentiment } from './crypto-sentiment.ts'
import { marketMood } from './market-mood.ts'
import { sentiment } from './sentiment.ts'
import type { SentimentServices } from './services.ts'

export const sentimentGroup: Group<SentimentServices> = {
  tag: 'sentiment',
  about: 'What the market feels and does, as indexes with every part, weight and source shown.',
  endpoints: [sentiment, compositeSentiment, cryptoSentiment, marketMood],
}
