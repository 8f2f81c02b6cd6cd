import { z } from 'zod'
import { operator } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import type { Usd } from '../../core/money.ts'
import type { PaymentTotals } from '../../ledger/ports/payment-book-queries.ts'
import { isoTime, Source, Timestamp } from '../../products/fields.ts'
import { USAGE_DAYS } from '../../products/payments/services.ts'
import { Day, OfMode, Revenue, toDate, toRevenue } from '../../products/payments/x402-fields.ts'
import { Count } from '../fields.ts'
import type { AdminServices } from './services.ts'
import { groupSums, toTraffic } from './traffic.ts'

const USAGE_SOURCE = 'ledger'
const WALLETS_LISTED = 200
const DAYS_LISTED = 400

export const usage = defineEndpoint({
  id: 'admin.usage',
  method: 'GET',
  path: '/admin/usage',
  access: operator('admin'),
  summary: 'Spend per wallet, requests per endpoint and day, revenue',
  description: `What was earned in all, per wallet, product and day, summed from the settled payments of the ledger; and how often each endpoint was called on each of the last ${USAGE_DAYS} UTC days. The ${WALLETS_LISTED} wallets that paid most are listed with their whole address, the others are summed up. Your own purchases stand apart.`,
  params: z.object({}),
  sample: {},
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    mode: OfMode,
    ...Revenue.shape,
    own_purchases: Revenue.describe("The operator's own; not part of any other sum here"),
    unique_wallets: Count,
    wallets: z
      .array(
        z.object({
          wallet: z.string().min(1),
          ...Revenue.shape,
          first_at: z.iso.datetime(),
          last_at: z.iso.datetime(),
        }),
      )
      .describe('Most spent first'),
    other_wallets: z.object({ count: Count, ...Revenue.shape }).describe('Those that are not listed'),
    products: z.array(z.object({ product_id: z.string().min(1), ...Revenue.shape })),
    revenue_per_day: z.array(z.object({ date: Day, ...Revenue.shape })).describe('Newest first'),
    days: z.int().min(1),
    requests: Count,
    endpoints: z.array(
      z.object({
        endpoint: z.string().min(1),
        requests: Count,
        per_day: z.array(z.object({ date: Day, requests: Count, failed: Count })),
      }),
    ),
  }),
  handle: async ({ payments, clock, mode, sourceOf }: AdminServices) => {
    const [sales, { own }, sums] = await Promise.all([
      payments.sales('all'),
      payments.overview(),
      payments.usage(),
    ])
    return {
      timestamp: isoTime(clock.now()),
      source: sourceOf(USAGE_SOURCE),
      mode,
      ...toRevenue(sales),
      own_purchases: toRevenue(own),
      unique_wallets: sales.payers,
      ...toWallets(sales),
      products: sales.perProduct.map((sum) => ({ product_id: sum.productId, ...toRevenue(sum) })),
      revenue_per_day: newestDays(sales.perDay).map((sum) => ({ date: toDate(sum.day), ...toRevenue(sum) })),
      days: USAGE_DAYS,
      requests: toTraffic(sums).calls,
      endpoints: groupSums(sums, 'productId').map(([endpoint, part]) => ({
        endpoint,
        requests: toTraffic(part).calls,
        per_day: groupSums(part, 'day').map(([day, ofDay]) => {
          const { calls, failed } = toTraffic(ofDay)
          return { date: toDate(day), requests: calls, failed }
        }),
      })),
    }
  },
})

const newestDays = (days: PaymentTotals['perDay']) =>
  [...days].sort((a, b) => b.day - a.day).slice(0, DAYS_LISTED)

/** What the list leaves out is summed up, so that the parts always make the whole. */
function toWallets({ perPayer, payers, count, revenue }: PaymentTotals) {
  const listed = perPayer.slice(0, WALLETS_LISTED)
  const rest = {
    count: count - listed.reduce((sum, each) => sum + each.count, 0),
    revenue: (revenue - listed.reduce((sum, each) => sum + each.revenue, 0n)) as Usd,
  }
  return {
    wallets: listed.map((sum) => ({
      wallet: sum.payer,
      ...toRevenue(sum),
      first_at: isoTime(sum.firstMs),
      last_at: isoTime(sum.lastMs),
    })),
    other_wallets: { count: payers - listed.length, ...toRevenue(rest) },
  }
}
