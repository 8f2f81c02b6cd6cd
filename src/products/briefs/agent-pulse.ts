import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { COINS } from '../../core/coin.ts'
import { usd } from '../../core/money.ts'
import { ServiceError } from '../../core/service-error.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { methodLink } from '../method-link.ts'
import { PartFields } from '../part-fields.ts'
import { SIGNAL_FRESH_MS } from '../signals/fields.ts'
import { snapshotOf } from '../signals/market-snapshot.ts'
import { onceOpen } from '../signals/open-signal.ts'
import { SUMMARY_CHARS, writeSummary } from './agent-summary.ts'
import { briefChanges } from './brief-changes.ts'
import { BriefCoin, toBriefCoin } from './brief-coin.ts'
import { toBundlePart } from './bundle-part.ts'
import { HotMarket, hotMarketsPart } from './hot-markets.ts'
import { Macro, macroPart } from './macro-part.ts'
import { methodsFor } from './methods.ts'
import { Mood, moodPart } from './mood-part.ts'
import type { BriefServices } from './services.ts'
import { WhaleBrief, whalePart } from './whale-part.ts'

const SOURCE = 'agent_pulse'
const METHODS = {
  coins: methodLink('probability'),
  mood: methodLink('sentiment', 'market-mood'),
  whales: methodLink('whales', 'net-flow'),
  macro: methodLink('derivatives'),
}
/** Of mood, whales, macro and hot markets so many must be there: who pays for a bundle wants a bundle. */
const LEAST_PARTS = 3

export const agentPulse = defineEndpoint({
  id: 'brief.agent_pulse',
  method: 'GET',
  path: '/agent-pulse',
  access: paid(usd('0.10')),
  summary: 'The whole market for a model: signals, mood, whales, macro, prediction markets and a summary',
  description:
    'One call before a decision: price and five-minute signal of BTC, ETH, SOL and XRP, mood, large trades, funding, open interest and dominance, the most traded prediction markets, and agent_summary, a text below 1,200 characters made of figures alone, for a model’s context. Coins are essential, and three of the four other parts: else 503 and not charged. A part that is missing is null, and parts says why.',
  title: () => 'The whole market for an agent',
  brings:
    'The whole market in one reply that a model can read before it decides, with a summary made of figures alone.',
  params: z.object({}),
  sample: {},
  response: z.object({
    timestamp: Timestamp.describe('Of the oldest price or signal; each part says its own'),
    source: Source,
    agent_summary: z.string().max(SUMMARY_CHARS),
    coins: z.array(BriefCoin),
    mood: Mood.nullable(),
    whales: WhaleBrief.nullable(),
    macro: Macro.nullable(),
    hot_markets: z.array(HotMarket).nullable(),
    parts: z.object({ mood: PartFields, whales: PartFields, macro: PartFields, hot_markets: PartFields }),
    methods: methodsFor(METHODS),
  }),
  freshForMs: SIGNAL_FRESH_MS,
  changes: briefChanges,
  handle: (services: BriefServices) =>
    onceOpen(services, COINS, () => {
      const seen = COINS.map((coin) => snapshotOf(services, coin))
      const parts = {
        mood: moodPart(services),
        whales: whalePart(services),
        macro: macroPart(services),
        hot_markets: hotMarketsPart(services),
      }
      checkEnough(parts)
      const { mood, whales, macro, hot_markets } = parts
      const asOfMs = Math.min(...seen.map((each) => each.asOfMs))
      const coins = seen.map(({ shown }) => toBriefCoin(shown))
      const source = services.sourceOf(SOURCE)
      const told = (part: (typeof parts)[keyof typeof parts]) => toBundlePart(part, services.sourceOf)
      return {
        timestamp: isoTime(asOfMs),
        source,
        agent_summary: writeSummary({
          atMs: asOfMs,
          isSimulated: source !== SOURCE,
          coins,
          mood: mood.value,
          whales: whales.value,
          macro: macro.value,
          markets: hot_markets.value,
          aged: Object.entries(parts).flatMap(([name, { status }]) => (status === 'aged' ? name : [])),
        }),
        coins,
        mood: mood.value ?? null,
        whales: whales.value ?? null,
        macro: macro.value ?? null,
        hot_markets: hot_markets.value ?? null,
        parts: { mood: told(mood), whales: told(whales), macro: told(macro), hot_markets: told(hot_markets) },
        methods: METHODS,
      }
    }),
})

type Told = Readonly<Record<string, { status: string; reason?: string | undefined }>>

function checkEnough(parts: Told): void {
  const missing = Object.entries(parts).filter(([, { status }]) => status === 'missing')
  if (Object.keys(parts).length - missing.length >= LEAST_PARTS) return
  const why = missing.map(([name, { reason }]) => `${name}: ${reason}`).join('; ')
  throw new ServiceError('upstream_unavailable', `too little of the bundle is there (${why})`, {
    hint: 'the parts are sold one by one as well; nothing was charged',
  })
}
