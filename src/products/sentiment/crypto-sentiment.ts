import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { COINS, listCoins } from '../../core/coin.ts'
import { usd } from '../../core/money.ts'
import { ServiceError } from '../../core/service-error.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { toCascadeFields } from '../derivatives/cascade-fields.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { Method } from '../method-link.ts'
import { Coins } from '../signals/coins.ts'
import { COMPOSITE_METHOD } from './composite.ts'
import { CompositeFields, toCompositeFields } from './composite-fields.ts'
import {
  DerivativesFields,
  toFundingFields,
  toLiquidationFields,
  toRegimeFields,
} from './derivatives-fields.ts'
import { FearGreedFields, INDEX_NOTE, Note, toFearGreedFields } from './fields.ts'
import { type KnownBlend, knownBlends, oldestOf } from './known-blend.ts'
import type { SentimentServices } from './services.ts'

const SOURCE = 'sentiment_and_derivatives'
/** Funding is read less often than prices. */
const FRESH_MS = 15 * MINUTE_MS

const CoinFields = z.object({ ...CompositeFields.shape, ...DerivativesFields.shape })

export const cryptoSentiment = defineEndpoint({
  id: 'sentiment.crypto',
  method: 'GET',
  path: '/crypto-sentiment',
  access: paid(usd('0.03')),
  summary: 'Sentiment with funding, open interest, liquidation-cascade risk and regime',
  description:
    'For BTC, ETH, SOL and XRP: the composite sentiment with all its parts, funding over the venues by open interest, open interest in dollars, positions closed by force in the last hour, the risk that such closings cascade, and the regime. Each with source, time and status; what is missing is null. Without composite, funding or open interest of a coin it is 503 and not charged. An index of the present, not a forecast.',
  brings:
    'Sentiment, funding, open interest and the risk of forced sales for each coin, with sources and times.',
  params: z.object({ coins: Coins }),
  sample: {},
  title: ({ coins }) => `Sentiment and derivatives of ${listCoins(coins ?? COINS)}`,
  response: z.object({
    timestamp: Timestamp.describe('Of the oldest momentum or funding in it; each part says its own'),
    source: Source,
    note: Note,
    method: Method,
    fear_greed: FearGreedFields,
    count: z.int().min(0),
    coins: z.array(CoinFields),
  }),
  freshForMs: FRESH_MS,
  changes: (services: SentimentServices) => services.sentiment.changes(),
  handle: (services: SentimentServices, { coins = COINS }) => {
    const blends = knownBlends(services, 'composite', coins)
    const fundingTimes = blends.map((blend) => fundingTimeOf(blend, services))
    return {
      timestamp: isoTime(Math.min(oldestOf(blends), ...fundingTimes)),
      source: services.sourceOf(SOURCE),
      note: INDEX_NOTE,
      method: COMPOSITE_METHOD,
      fear_greed: toFearGreedFields(services),
      count: blends.length,
      coins: blends.map((blend) => toCoinFields(blend, services)),
    }
  },
})

function fundingTimeOf({ coin }: KnownBlend, { sentiment }: SentimentServices): number {
  const { asOfMs, reason } = sentiment.funding(coin)
  if (asOfMs !== undefined) return asOfMs
  throw new ServiceError('upstream_unavailable', `no ${coin} funding and open interest: ${reason}`)
}

const toCoinFields = (blend: KnownBlend, services: SentimentServices): z.input<typeof CoinFields> => ({
  ...toCompositeFields(blend, services),
  funding: toFundingFields(blend.coin, services),
  liquidations_1h: toLiquidationFields(blend.coin, services),
  cascade_risk: toCascadeFields(services.cascadeRisk(blend.coin), services.sourceOf),
  regime: toRegimeFields(blend.coin, services),
})
