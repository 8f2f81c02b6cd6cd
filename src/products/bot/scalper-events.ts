import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEventStream } from '../../catalog/endpoints/event-stream.ts'
import type { LiveServices } from './live/live.ts'
import { LiveEvent } from './live/live-event.ts'

export const scalperEvents = defineEventStream({
  id: 'bot.scalper_events',
  path: '/api/scalper/events',
  access: free,
  summary: 'The live dashboard as server-sent events',
  description:
    'First everything, then at most once a second what has changed: the BTC price that markets resolve on, the open window, profit after fees, trades and the circuit breaker of the bot. Our probability, the price on the prediction market and the imbalance of the order book come five minutes late, when their window has closed. After a lost connection everything comes again.',
  params: z.object({}),
  sample: {},
  event: LiveEvent,
  open: ({ live }: LiveServices, _, listener) => live.listen(listener),
})
