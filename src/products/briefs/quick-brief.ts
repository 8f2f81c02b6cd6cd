import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { COINS } from '../../core/coin.ts'
import { usd } from '../../core/money.ts'
import { RESULTS_SOURCE, resultsTime } from '../bot/account.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { methodLink } from '../method-link.ts'
import { PartFields } from '../part-fields.ts'
import { BotFigures, toBotFigures } from '../signals/bot-figures.ts'
import { SIGNAL_FRESH_MS, Verdict, WindowSpan } from '../signals/fields.ts'
import { snapshotOf } from '../signals/market-snapshot.ts'
import { onceOpen } from '../signals/open-signal.ts'
import { briefChanges } from './brief-changes.ts'
import { toBundlePart } from './bundle-part.ts'
import { HotMarket, hotMarketsPart } from './hot-markets.ts'
import { methodsFor } from './methods.ts'
import { Mood, moodPart } from './mood-part.ts'
import type { BriefServices } from './services.ts'

const SOURCE = 'quick_brief'
const METHODS = {
  top_signals: methodLink('probability'),
  mood: methodLink('sentiment', 'market-mood'),
  performance: methodLink('bot-results'),
}

const TopSignal = z.object({
  coin: z.enum(COINS),
  price_usd: z.number().positive(),
  ...Verdict.shape,
  ...WindowSpan.shape,
})
type Shown = z.input<typeof TopSignal>

/** Those that abstain come last: what they are sure of is not to be acted on. */
const surestFirst = (a: Shown, b: Shown) =>
  Number(a.abstain) - Number(b.abstain) || b.confidence - a.confidence

export const quickBrief = defineEndpoint({
  id: 'brief.quick',
  method: 'GET',
  path: '/quick-brief',
  access: paid(usd('0.01')),
  summary: 'BTC price, sentiment, signals, hot prediction markets and the bot’s results in one small reply',
  description:
    'What a trader asks first: the BTC price, the sentiment of the market, the five-minute signals with the surest first, the most traded prediction markets and what our own bot made of such signals. Prices, signals and the results are essential: without them it is 503 and not charged. A mood or markets that are missing are null, and parts says why.',
  title: () => 'Quick brief of the market',
  brings:
    'What a trader asks first, in one small reply: price, mood, signals, markets and how our own bot does.',
  params: z.object({}),
  sample: {},
  response: z.object({
    timestamp: Timestamp.describe('Of the oldest price or signal; each part says its own'),
    source: Source,
    btc_price_usd: z.number().positive(),
    btc_change_24h_percent: z.number().nullable(),
    top_signals: z
      .array(TopSignal)
      .describe(
        'All four coins for the window that is open now: the highest confidence first, those that abstain last. All of them get sure near the end of the window: see seconds_remaining',
      ),
    mood: Mood.nullable(),
    hot_markets: z.array(HotMarket).nullable(),
    performance: BotFigures,
    parts: z.object({ mood: PartFields, hot_markets: PartFields, performance: PartFields }),
    methods: methodsFor(METHODS),
  }),
  freshForMs: SIGNAL_FRESH_MS,
  changes: briefChanges,
  handle: (services: BriefServices) =>
    onceOpen(services, COINS, () => {
      const seen = COINS.map((coin) => snapshotOf(services, coin))
      const { shown: btc } = snapshotOf(services, 'BTC')
      const [mood, markets] = [moodPart(services), hotMarketsPart(services)]
      const signals = seen.map(({ shown }) => ({
        coin: shown.coin,
        price_usd: shown.price_usd,
        direction: shown.direction,
        confidence: shown.confidence,
        probability_up: shown.probability_up,
        abstain: shown.abstain,
        regime: shown.regime,
        window_start: shown.window_start,
        window_end: shown.window_end,
        seconds_remaining: shown.seconds_remaining,
      }))
      return {
        timestamp: isoTime(Math.min(...seen.map(({ asOfMs }) => asOfMs))),
        source: services.sourceOf(SOURCE),
        btc_price_usd: btc.price_usd,
        btc_change_24h_percent: btc.change_24h_percent,
        top_signals: signals.sort(surestFirst),
        mood: mood.value ?? null,
        hot_markets: markets.value ?? null,
        performance: toBotFigures(services),
        parts: {
          mood: toBundlePart(mood, services.sourceOf),
          hot_markets: toBundlePart(markets, services.sourceOf),
          // Our own ledger: what it says is always the latest, and its time that of the last trade resolved.
          performance: {
            source: services.sourceOf(RESULTS_SOURCE),
            timestamp: resultsTime(services),
            status: 'fresh' as const,
          },
        },
        methods: METHODS,
      }
    }),
})
