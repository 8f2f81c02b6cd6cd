import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { type PaymentServices, USAGE_DAYS } from './services.ts'
import { addUp, Calls, CallsOfDay, callsChange, callsPerDay, perProduct } from './x402-calls.ts'
import { OfMode, Revenue, toRevenue } from './x402-fields.ts'

export const x402Stats = defineEndpoint({
  id: 'payments.stats',
  method: 'GET',
  path: '/x402/stats',
  access: free,
  openWith: 'publicRevenue',
  summary: 'Usage of the last thirty days',
  description:
    'Calls per product and day, told apart by who bore the cost: paid, free daily calls, holders, and free ones: free products, and replies that were paid for before and fetched again. With the totals, the revenue and the number of wallets that paid.',
  params: z.object({}),
  sample: {},
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    mode: OfMode,
    days: z.int().min(1),
    totals: Calls,
    ...Revenue.shape,
    unique_payers: z.int().min(0),
    per_day: z.array(CallsOfDay),
    products: z.array(
      z.object({ product_id: z.string().min(1), ...Calls.shape, per_day: z.array(CallsOfDay) }),
    ),
  }),
  changes: callsChange,
  handle: async ({ payments, clock, mode, sourceOf }: PaymentServices) => {
    const [usage, sales] = await Promise.all([payments.usage(), payments.sales('30d')])
    return {
      timestamp: isoTime(clock.now()),
      source: sourceOf('ledger'),
      mode,
      days: USAGE_DAYS,
      totals: addUp(usage),
      ...toRevenue(sales),
      unique_payers: sales.payers,
      per_day: callsPerDay(usage),
      products: perProduct(usage).map(([product_id, sums]) => ({
        product_id,
        ...addUp(sums),
        per_day: callsPerDay(sums),
      })),
    }
  },
})
