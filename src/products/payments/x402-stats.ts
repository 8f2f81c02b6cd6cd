import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import type { UsageSum, Via } from '../../ledger/ports/usage-log.ts'
import { isoTime, Source, sampleTime, Timestamp } from '../fields.ts'
import { type PaymentServices, USAGE_DAYS } from './services.ts'
import { Day, OfMode, Revenue, toDate, toRevenue } from './x402-fields.ts'

const count = z.int().min(0)
/** Calls that were answered with what was asked for, by who bore the cost; `failed` are all others. */
const Calls = z.object({ paid: count, demo: count, holder: count, free: count, failed: count })
type Calls = z.infer<typeof Calls>
const CallsOfDay = z.object({ date: Day, ...Calls.shape })

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
    unique_payers: count,
    per_day: z.array(CallsOfDay),
    products: z.array(
      z.object({ product_id: z.string().min(1), ...Calls.shape, per_day: z.array(CallsOfDay) }),
    ),
  }),
  example: {
    timestamp: sampleTime,
    source: 'ledger',
    mode: 'live',
    days: USAGE_DAYS,
    totals: { paid: 2, demo: 5, holder: 0, free: 0, failed: 1 },
    settlements: 2,
    revenue_usdc: 0.002,
    revenue_atomic: '2000',
    unique_payers: 1,
    per_day: [{ date: '2026-01-05', paid: 2, demo: 5, holder: 0, free: 0, failed: 1 }],
    products: [
      {
        product_id: 'market.price',
        paid: 2,
        demo: 5,
        holder: 0,
        free: 0,
        failed: 1,
        per_day: [{ date: '2026-01-05', paid: 2, demo: 5, holder: 0, free: 0, failed: 1 }],
      },
    ],
  },
  handle: async ({ payments, clock, mode, sourceOf }: PaymentServices) => {
    const [usage, sales] = await Promise.all([payments.usage(), payments.sales('30d')])
    const products = Map.groupBy(usage, ({ productId }) => productId)
    return {
      timestamp: isoTime(clock.now()),
      source: sourceOf('ledger'),
      mode,
      days: USAGE_DAYS,
      totals: addUp(usage),
      ...toRevenue(sales),
      unique_payers: sales.payers,
      per_day: perDay(usage),
      products: [...products].sort(byName).map(([product_id, sums]) => ({
        product_id,
        ...addUp(sums),
        per_day: perDay(sums),
      })),
    }
  },
})

function perDay(sums: readonly UsageSum[]) {
  return [...Map.groupBy(sums, ({ day }) => day)]
    .sort(([a], [b]) => a - b)
    .map(([day, ofDay]) => ({ date: toDate(day), ...addUp(ofDay) }))
}

const isServed = (status: number) => status >= 200 && status < 400

function addUp(sums: readonly UsageSum[]): Calls {
  const served = (via: Via) => callsOf(sums.filter((sum) => sum.via === via && isServed(sum.status)))
  return {
    paid: served('paid'),
    demo: served('demo'),
    holder: served('holder'),
    free: served('free'),
    failed: callsOf(sums.filter(({ status }) => !isServed(status))),
  }
}

const callsOf = (sums: readonly UsageSum[]) => sums.reduce((calls, sum) => calls + sum.calls, 0)

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1)
