import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { COINS } from '../../core/coin.ts'
import { usd } from '../../core/money.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { FearGreed } from '../../intel/sentiment/fear-greed.ts'
import { labelOf, marketRegime, summarize } from '../../intel/sentiment/mood.ts'
import { REGIMES } from '../../signals/signal.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { Method, methodLink } from '../method-link.ts'
import { CompositeFields, toCompositeFields } from './composite-fields.ts'
import { RegimeFields, toRegimeFields } from './derivatives-fields.ts'
import {
  Changes,
  FearGreedFields,
  INDEX_NOTE,
  Label,
  meanScore,
  Note,
  toChanges,
  toFearGreedFields,
} from './fields.ts'
import { knownBlends, oldestOf, SENTIMENT_FRESH_MS } from './known-blend.ts'
import type { SentimentServices } from './services.ts'
import { toWholeMarketFields, WholeMarketFields } from './whole-market-fields.ts'

const SOURCE = 'market_mood'
const METHOD = methodLink('sentiment', 'market-mood')

const MoodFields = z.object({ ...CompositeFields.shape, change_percent: Changes, regime: RegimeFields })

export const marketMood = defineEndpoint({
  id: 'sentiment.mood',
  method: 'GET',
  path: '/market-mood',
  access: paid(usd('0.01')),
  summary: 'Fear and greed, regime, bias per coin, and the mood in a few sentences',
  description:
    'The mood of the market at one look: fear and greed with its past, the regime of the last hour, the bias of BTC, ETH, SOL and XRP by their composite sentiment, worth and BTC share of the whole market, and a summary written from these figures alone. Each part says source, time and status. Without fear and greed, or the sentiment of a coin, it is 503 and not charged. An index of the present, not a forecast.',
  title: () => 'Market mood',
  brings: 'Fear and greed, the lean of each coin and the mood of the market in a few sentences.',
  params: z.object({}),
  sample: {},
  response: z.object({
    timestamp: Timestamp.describe('Of the oldest momentum in it; each part says its own'),
    source: Source,
    note: Note,
    method: Method,
    summary: z.string(),
    mood: Label.describe('By the mean score of the coins'),
    score: z.number().min(-1).max(1).describe('Mean of the scores of the coins, as they are shown'),
    fear_greed: FearGreedFields,
    regime: z.enum(REGIMES).nullable().describe('That of most coins; null while no coin has one'),
    whole_market: WholeMarketFields,
    count: z.int().min(0),
    coins: z.array(MoodFields),
  }),
  tool: 'get_market_mood',
  freshForMs: SENTIMENT_FRESH_MS,
  changes: (services: SentimentServices) => services.sentiment.changes(),
  handle: (services: SentimentServices) => {
    const fearGreed = fearGreedOf(services)
    const blends = knownBlends(services, 'composite', COINS)
    const coins = blends.map((blend) => ({
      ...toCompositeFields(blend, services),
      change_percent: toChanges(blend.momentum),
      regime: toRegimeFields(blend.coin, services),
    }))
    const score = meanScore(coins)
    const regime = marketRegime(COINS.flatMap((coin) => services.sentiment.regime(coin).value ?? [])) ?? null
    const wholeMarket = services.sentiment.wholeMarket()
    return {
      timestamp: isoTime(oldestOf(blends)),
      source: services.sourceOf(SOURCE),
      note: INDEX_NOTE,
      method: METHOD,
      summary: summarize({
        fearGreed,
        coins,
        regime: regime ?? undefined,
        wholeMarket: wholeMarket.value,
      }),
      mood: labelOf(score),
      score,
      fear_greed: toFearGreedFields(services),
      regime,
      whole_market: toWholeMarketFields(wholeMarket, services.sourceOf),
      count: coins.length,
      coins,
    }
  },
})

function fearGreedOf({ sentiment }: SentimentServices): FearGreed {
  const { value, reason } = sentiment.fearGreed()
  if (value) return value
  throw new ServiceError('upstream_unavailable', `no fear and greed index: ${reason}; nothing was charged`)
}
