import { z } from 'zod'
import { operator } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { isoTime, Source, Timestamp } from '../../products/fields.ts'
import { ReportedOrder, toReportedOrder } from '../orders/order-fields.ts'
import { ClientOrderId, centsToE6, MeantBroker, outcomeOf, SizeUsd, YesOrNo } from '../orders/order-params.ts'
import { BROKER_SOURCE } from '../sources.ts'
import type { TradeServices } from './services.ts'

const DEFAULT_USD = 5

export const buy = defineEndpoint({
  id: 'trade.buy',
  method: 'POST',
  path: '/trade/buy',
  access: operator('trade'),
  summary: 'Buys on the open five-minute BTC market',
  description:
    'Places a marketable limit order: YES buys the UP token, NO the DOWN token. What is not taken at once is cancelled. Limits on losses and trades of the day hold here too: 409 says which one. Send client_order_id, and repeat the call with the same one when in doubt: that is one order. Without it the same side within ten seconds is one order, and with another size 409. Where broker names another account than the one in use it is 409 too. Params stand in the query.',
  params: z.object({
    side: YesOrNo.describe('YES: the UP token; NO: the DOWN token'),
    size_usd: SizeUsd.default(DEFAULT_USD).describe('Dollars to spend before the fee, in whole cents'),
    client_order_id: ClientOrderId.optional(),
    broker: MeantBroker,
  }),
  sample: { side: 'YES', size_usd: 5, client_order_id: 'my-order-1', broker: 'paper' },
  response: z.object({ timestamp: Timestamp, source: Source, ...ReportedOrder.shape }),
  caller: true,
  handle: async (
    { bot, clock, sourceOf }: TradeServices,
    { side, size_usd, client_order_id, broker },
    caller,
  ) => {
    const report = await bot.buy({
      coin: 'BTC',
      outcome: outcomeOf(side),
      spendE6: centsToE6(size_usd),
      clientOrderId: client_order_id,
      broker,
      by: caller.by,
    })
    return {
      timestamp: isoTime(clock.now()),
      source: sourceOf(BROKER_SOURCE),
      ...toReportedOrder(report),
    }
  },
})
