import { z } from 'zod'
import { operator } from '../../../catalog/access.ts'
import { defineEndpoint } from '../../../catalog/endpoints/endpoint.ts'
import { isoTime, Source, Timestamp } from '../../../products/fields.ts'
import { OneCoin } from '../../../products/signals/coins.ts'
import { ReportedOrder, toReportedOrder } from '../../orders/order-fields.ts'
import {
  ClientOrderId,
  centsToE6,
  MeantBroker,
  outcomeOf,
  SizeUsd,
  YesOrNo,
} from '../../orders/order-params.ts'
import { BROKER_SOURCE } from '../../sources.ts'
import type { AdminServices } from '../services.ts'

const AdminBuyRequest = z.strictObject({
  side: YesOrNo.describe('YES: the UP token; NO: the DOWN token'),
  coin: OneCoin.prefault('btc'),
  size_usd: SizeUsd.describe('Dollars to spend before the fee, in whole cents'),
  client_order_id: ClientOrderId.optional(),
  broker: MeantBroker,
})

export const adminBuy = defineEndpoint({
  id: 'admin.buy',
  method: 'POST',
  paramsIn: 'body',
  path: '/admin/trading/buy',
  access: operator('admin'),
  summary: 'Buys on an open five-minute market now',
  description:
    'As /trade/buy, on the market of any of the four coins: a marketable limit order, of which what is not taken at once is cancelled. Limits on losses and trades of the day hold here too: 409 says which one. The same client_order_id twice is one order; without it the same coin and side within ten seconds is one, and with another size 409. Where broker names another account than the one in use it is 409 too.',
  params: AdminBuyRequest,
  sample: { side: 'YES', coin: 'btc', size_usd: 5, client_order_id: 'my-order-2', broker: 'paper' },
  response: z.object({ timestamp: Timestamp, source: Source, ...ReportedOrder.shape }),
  caller: true,
  handle: async ({ bot, clock, sourceOf }: AdminServices, order, caller) => {
    const report = await bot.buy({
      coin: order.coin,
      outcome: outcomeOf(order.side),
      spendE6: centsToE6(order.size_usd),
      clientOrderId: order.client_order_id,
      broker: order.broker,
      by: caller.by,
    })
    return {
      timestamp: isoTime(clock.now()),
      source: sourceOf(BROKER_SOURCE),
      ...toReportedOrder(report),
    }
  },
})
