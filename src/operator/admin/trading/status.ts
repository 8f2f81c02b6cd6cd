import { z } from 'zod'
import { operator } from '../../../catalog/access.ts'
import { defineEndpoint } from '../../../catalog/endpoints/endpoint.ts'
import { isoTime, Source, Timestamp } from '../../../products/fields.ts'
import { BOT_SOURCE } from '../../sources.ts'
import { Decision, toDecision } from '../decision-fields.ts'
import type { AdminServices } from '../services.ts'
import { ConfigVersion, TradingConfigFields, toConfigVersion } from './config-fields.ts'
import {
  BossSignal,
  BotState,
  BreakerEvent,
  toBossSignal,
  toBotState,
  toBreakerEvent,
} from './status-fields.ts'

const DECISIONS_SHOWN = 20
const EVENTS_SHOWN = 20

const { config: _, ...ofVersion } = ConfigVersion.shape
/** What counts now, with who made it so; only the history of versions needs the two apart. */
const CurrentConfig = z.object({ ...ofVersion, ...TradingConfigFields.shape })
const flat = ({ config, ...version }: z.input<typeof ConfigVersion>): z.input<typeof CurrentConfig> => ({
  ...version,
  ...config,
})

export const tradingStatus = defineEndpoint({
  id: 'admin.trading',
  method: 'GET',
  path: '/admin/trading',
  access: operator('admin'),
  summary: 'What the bot is doing, and why',
  description:
    'State of the bot with its configuration, circuit breaker, figures of today, obstacles, last decisions with the numbers behind them, breaker events and forced directions.',
  params: z.object({}),
  sample: {},
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    ...BotState.shape,
    config: CurrentConfig,
    decisions: z.array(Decision).max(DECISIONS_SHOWN).describe('Newest first'),
    breaker_events: z.array(BreakerEvent).max(EVENTS_SHOWN).describe('Newest first'),
    boss_signals: z.array(BossSignal).max(EVENTS_SHOWN).describe('Newest first'),
  }),
  handle: async ({ bot, book, clock, sourceOf }: AdminServices) => {
    const [decisions, events, bossSignals] = await Promise.all([
      book.decisions({ limit: DECISIONS_SHOWN, offset: 0 }),
      bot.breakerHistory(EVENTS_SHOWN),
      book.bossSignals(EVENTS_SHOWN),
    ])
    const status = bot.status()
    return {
      timestamp: isoTime(clock.now()),
      source: sourceOf(BOT_SOURCE),
      ...toBotState(status),
      config: flat(toConfigVersion(status.config)),
      decisions: decisions.map(toDecision),
      breaker_events: events.map(toBreakerEvent),
      boss_signals: bossSignals.map(toBossSignal),
    }
  },
})
