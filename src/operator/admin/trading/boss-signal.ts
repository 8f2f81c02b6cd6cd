import { z } from 'zod'
import { operator } from '../../../catalog/access.ts'
import { defineEndpoint } from '../../../catalog/endpoints/endpoint.ts'
import { isoTime, Source, Timestamp } from '../../../products/fields.ts'
import { OneCoin } from '../../../products/signals/coins.ts'
import { Side } from '../../fields.ts'
import { MeantBroker } from '../../orders/order-params.ts'
import { BOT_SOURCE } from '../../sources.ts'
import { Line } from '../../texts.ts'
import type { AdminServices } from '../services.ts'
import { BossSignal, toBossSignal, toWhyIdle, WhyIdle } from './status-fields.ts'

const REASON_CHARS = 200

const BossSignalRequest = z.strictObject({
  direction: Side.describe('The side to buy'),
  coin: OneCoin.prefault('btc'),
  reason: Line(REASON_CHARS).optional().describe('Why, in your words'),
  broker: MeantBroker,
})

export const bossSignal = defineEndpoint({
  id: 'admin.boss_signal',
  method: 'POST',
  paramsIn: 'body',
  path: '/admin/trading/boss-signal',
  access: operator('admin'),
  summary: 'Forces a direction for the next window',
  description:
    'The bot buys this direction in the next window of the coin, once, whatever its own signal says. Rules on money and on fresh data still hold, and a bot that is paused or stopped buys nothing: note says so. A second call for the same window replaces the first. 409 where broker names another account than the one in use.',
  params: BossSignalRequest,
  sample: { direction: 'UP', coin: 'btc', broker: 'paper' },
  response: z.object({ timestamp: Timestamp, source: Source, boss_signal: BossSignal, note: WhyIdle }),
  caller: true,
  handle: async ({ bot, sourceOf }: AdminServices, { direction, coin, reason, broker }, caller) => {
    const row = await bot.bossSignal({ direction, coin, reason, broker }, caller.by)
    return {
      timestamp: isoTime(row.atMs),
      source: sourceOf(BOT_SOURCE),
      boss_signal: toBossSignal(row),
      ...toWhyIdle(bot.status()),
    }
  },
})
