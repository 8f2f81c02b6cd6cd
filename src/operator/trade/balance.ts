import { z } from 'zod'
import { operator } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { fromMillionths } from '../../market/prediction/millionths.ts'
import { isoTime, Source, Timestamp } from '../../products/fields.ts'
import { Account, toAccount, UsdAmount } from '../fields.ts'
import { BROKER_SOURCE } from '../sources.ts'
import type { TradeServices } from './services.ts'

export const balance = defineEndpoint({
  id: 'trade.balance',
  method: 'GET',
  path: '/trade/balance',
  access: operator('trade'),
  summary: 'Cash of the account that orders are placed with',
  description:
    'Dollars that orders can spend now, in the account of the broker that is chosen: simulated money in sim mode, else the deposit wallet at the venue. What positions are worth is in /trade/positions.',
  params: z.object({}),
  sample: {},
  response: z.object({ timestamp: Timestamp, source: Source, ...Account.shape, cash_usd: UsdAmount }),
  handle: async ({ bot, sourceOf }: TradeServices) => {
    const { broker, cashE6, asOfMs } = await bot.balance()
    return {
      timestamp: isoTime(asOfMs),
      source: sourceOf(BROKER_SOURCE),
      ...toAccount(broker),
      cash_usd: fromMillionths(cashE6),
    }
  },
})
