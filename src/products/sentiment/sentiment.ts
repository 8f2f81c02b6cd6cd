import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { COINS, listCoins } from '../../core/coin.ts'
import { usd } from '../../core/money.ts'
import { labelOf } from '../../intel/sentiment/mood.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { Method, methodLink } from '../method-link.ts'
import { Coins } from '../signals/coins.ts'
import {
  Changes,
  CoinName,
  FearGreedFields,
  INDEX_NOTE,
  Label,
  Note,
  SentimentPart,
  toChanges,
  toFearGreedFields,
  toSentimentPart,
} from './fields.ts'
import { knownBlends, oldestOf, SENTIMENT_FRESH_MS } from './known-blend.ts'
import type { SentimentServices } from './services.ts'

const SOURCE = 'sentiment_index'
const METHOD = methodLink('sentiment', 'the-score-of-sentiment')

/** −1..1 as 0..100, to one decimal. */
const toHundred = (score: number) => Math.round(500 + 500 * score) / 10
/** Of the score as it is shown, so that a reader finds both consistent. */
const labelOfHundred = (shown: number) => labelOf((shown - 50) / 50)

export const sentiment = defineEndpoint({
  id: 'sentiment.index',
  method: 'GET',
  path: '/sentiment',
  access: paid(usd('0.01')),
  summary: 'One sentiment score per coin: fear and greed, momentum and whale flow',
  description:
    'A score from 0 (bearish) to 100 (bullish) for BTC, ETH, SOL and XRP, made of the fear and greed index, momentum over 1, 4 and 24 hours by volatility, and the flow of large trades, with every part, its weight, source and time. A missing part is named and its weight spread over the others; without momentum or half of the weight it is 503 and not charged. An index of the present, not a forecast. coins narrows.',
  brings: 'One score per coin from 0, bearish, to 100, bullish, with the parts that it is made of.',
  params: z.object({ coins: Coins }),
  sample: {},
  title: ({ coins }) => `Sentiment of ${listCoins(coins ?? COINS)}`,
  response: z.object({
    timestamp: Timestamp.describe('Of the oldest momentum in it; each part says its own'),
    source: Source,
    note: Note,
    method: Method,
    fear_greed: FearGreedFields,
    count: z.int().min(0),
    coins: z.array(
      z.object({
        coin: CoinName,
        score: z.number().min(0).max(100).describe('From 0 (bearish) to 100 (bullish); 50 is neutral'),
        label: Label,
        change_percent: Changes,
        parts: z.array(SentimentPart),
      }),
    ),
  }),
  tool: 'get_sentiment',
  freshForMs: SENTIMENT_FRESH_MS,
  changes: (services: SentimentServices) => services.sentiment.changes(),
  handle: (services: SentimentServices, { coins = COINS }) => {
    const blends = knownBlends(services, 'basic', coins)
    return {
      timestamp: isoTime(oldestOf(blends)),
      source: services.sourceOf(SOURCE),
      note: INDEX_NOTE,
      method: METHOD,
      fear_greed: toFearGreedFields(services),
      count: blends.length,
      coins: blends.map(({ coin, score, blend, momentum }) => ({
        coin,
        score: toHundred(score),
        label: labelOfHundred(toHundred(score)),
        change_percent: toChanges(momentum),
        parts: blend.parts.map((part) => toSentimentPart(part, services)),
      })),
    }
  },
})
