import { z } from 'zod'
import { operator } from '../../../catalog/access.ts'
import { defineEndpoint } from '../../../catalog/endpoints/endpoint.ts'
import { isoTime, Source, sampleTime, Timestamp } from '../../../products/fields.ts'
import { BOT_SOURCE } from '../../sources.ts'
import { Decision, sampleDecision, toDecision } from '../decision-fields.ts'
import type { AdminServices } from '../services.ts'
import { ConfigVersion, sampleConfigVersion, toConfigVersion } from './config-fields.ts'
import {
  BossSignal,
  BotState,
  BreakerEvent,
  sampleBossSignal,
  sampleBotState,
  toBossSignal,
  toBotState,
  toBreakerEvent,
} from './status-fields.ts'

const DECISIONS_SHOWN = 20
const EVENTS_SHOWN = 20

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
    config: ConfigVersion,
    decisions: z.array(Decision).describe('Newest first'),
    breaker_events: z.array(BreakerEvent).describe('Newest first'),
    boss_signals: z.array(BossSignal).describe('Newest first'),
  }),
  example: {
    timestamp: sampleTime,
    source: BOT_SOURCE,
    ...sampleBotState,
    config: sampleConfigVersion,
    decisions: [sampleDecision],
    breaker_events: [],
    boss_signals: [sampleBossSignal],
  },
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
      config: toConfigVersion(status.config),
      decisions: decisions.map(toDecision),
      breaker_events: events.map(toBreakerEvent),
      boss_signals: bossSignals.map(toBossSignal),
    }
  },
})
