import { z } from 'zod'
import { operator } from '../../../catalog/access.ts'
import { defineEndpoint } from '../../../catalog/endpoints/endpoint.ts'
import { isoTime, Source, Timestamp } from '../../../products/fields.ts'
import { BOT_SOURCE } from '../../sources.ts'
import type { AdminServices } from '../services.ts'
import { BreakerState, toBreakerState, toWhyIdle, WhyIdle } from './status-fields.ts'

export const resetBreaker = defineEndpoint({
  id: 'admin.reset_breaker',
  method: 'POST',
  path: '/admin/trading/reset-cb',
  access: operator('admin'),
  summary: 'Resets the circuit breaker and the count of losses in a row',
  description:
    'Closes the circuit breaker of the bot and counts losses in a row from zero. The loss and the trades of the day stay: a daily limit that was reached still stops purchases until midnight UTC, and note says so; another loss opens the breaker again.',
  params: z.object({}),
  sample: {},
  response: z.object({ timestamp: Timestamp, source: Source, breaker: BreakerState, note: WhyIdle }),
  caller: true,
  handle: async ({ bot, clock, sourceOf }: AdminServices, _, caller) => {
    const breaker = await bot.resetBreaker(caller.by)
    return {
      timestamp: isoTime(clock.now()),
      source: sourceOf(BOT_SOURCE),
      breaker: toBreakerState(breaker),
      ...toWhyIdle(bot.status()),
    }
  },
})
