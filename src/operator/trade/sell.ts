import { z } from 'zod'
import { operator } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { isoTime, Source, Timestamp } from '../../products/fields.ts'
import { Account, Count, toAccount } from '../fields.ts'
import { ReportedOrder, toReportedOrder } from '../orders/order-fields.ts'
import { BROKER_SOURCE } from '../sources.ts'
import type { TradeServices } from './services.ts'

export const sell = defineEndpoint({
  id: 'trade.sell',
  method: 'POST',
  path: '/trade/sell',
  access: operator('trade'),
  summary: 'Sells all positions on the open five-minute BTC market',
  description:
    'Sells every position of the chosen broker on the five-minute BTC market that is open now, each with one marketable limit order at the midpoint less four cents. What is not taken at once is kept: call again. Without a position nothing is sent and count is 0. A position that could not be sold stands in failed with the reason; where none could be, the reply is an error.',
  params: z.object({}),
  sample: {},
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    ...Account.shape,
    count: Count,
    orders: z.array(ReportedOrder),
    failed: z
      .array(z.object({ token_id: z.string(), reason: z.string() }))
      .describe('Still held: call again, or POST /trade/close'),
  }),
  caller: true,
  handle: async ({ bot, clock, sourceOf }: TradeServices, _, caller) => {
    const { broker } = bot.status()
    const { sold, failed } = await bot.sellOpenWindow('BTC', caller.by)
    return {
      timestamp: isoTime(clock.now()),
      source: sourceOf(BROKER_SOURCE),
      ...toAccount(broker),
      count: sold.length,
      orders: sold.map(toReportedOrder),
      failed: failed.map(({ tokenId, reason }) => ({ token_id: tokenId, reason })),
    }
  },
})
