import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { COINS, listCoins } from '../../core/coin.ts'
import { usd } from '../../core/money.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { Method, methodLink } from '../method-link.ts'
import { Coins } from '../signals/coins.ts'
import { CompositeFields, toCompositeFields } from './composite-fields.ts'
import { INDEX_NOTE, Note } from './fields.ts'
import { knownBlends, oldestOf, SENTIMENT_FRESH_MS } from './known-blend.ts'
import type { SentimentServices } from './services.ts'

export const COMPOSITE_SOURCE = 'sentiment_composite'
export const COMPOSITE_METHOD = methodLink('sentiment', 'the-composite')

export const compositeSentiment = defineEndpoint({
  id: 'sentiment.composite',
  method: 'GET',
  path: '/sentiment/composite',
  access: paid(usd('0.01')),
  summary: 'Composite sentiment from six sources, -1 to +1 per coin',
  description:
    'Fear and greed, momentum by volatility, flow of large trades, funding, the odds of the open five-minute market and our own probability, each from -1 to 1, blended by published weights for BTC, ETH, SOL and XRP. Every part shows reading, weight, source, time and status; the weight of a missing one is spread over the others. Without momentum or half of the weight it is 503 and not charged. An index of the present, not a forecast.',
  brings: 'Six sources blended into one figure per coin, with each part, its weight and its source.',
  params: z.object({ coins: Coins }),
  sample: {},
  title: ({ coins }) => `Composite sentiment of ${listCoins(coins ?? COINS)}`,
  response: z.object({
    timestamp: Timestamp.describe('Of the oldest momentum in it; each part says its own'),
    source: Source,
    note: Note,
    method: Method,
    count: z.int().min(0),
    coins: z.array(CompositeFields),
  }),
  freshForMs: SENTIMENT_FRESH_MS,
  changes: (services: SentimentServices) => services.sentiment.changes(),
  handle: (services: SentimentServices, { coins = COINS }) => {
    const blends = knownBlends(services, 'composite', coins)
    return {
      timestamp: isoTime(oldestOf(blends)),
      source: services.sourceOf(COMPOSITE_SOURCE),
      note: INDEX_NOTE,
      method: COMPOSITE_METHOD,
      count: blends.length,
      coins: blends.map((blend) => toCompositeFields(blend, services)),
    }
  },
})
