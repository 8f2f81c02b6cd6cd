import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import type { Usd } from '../../core/money.ts'
import { shorten } from '../../core/shorten.ts'
import { DAY_MS } from '../../core/time/time.ts'
import type { PaymentTotals } from '../../ledger/ports/payment-book-queries.ts'
import type { UsageSum } from '../../ledger/ports/usage-log.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { type PaymentServices, PERIODS, USAGE_DAYS } from './services.ts'
import { addUp, Calls, CallsOfDay, callsChange, callsPerDay, perProduct } from './x402-calls.ts'
import { Day, OfMode, Revenue, toDate, toRevenue } from './x402-fields.ts'

const WALLETS_LISTED = 100

const Wallet = z.object({
  wallet: z.string().min(1).describe('Shortened: this reply is public'),
  ...Revenue.shape,
  first_at: z.iso.datetime(),
  last_at: z.iso.datetime(),
})

export const Analytics = z.object({
  timestamp: Timestamp,
  source: Source,
  mode: OfMode,
  period: z.enum(PERIODS),
  from: z.iso.datetime().nullable().describe('null: from the first payment on'),
  ...Revenue.shape,
  unique_wallets: z.int().min(0),
  wallets: z.array(Wallet).max(WALLETS_LISTED).describe('Most revenue first'),
  other_wallets: z
    .object({ count: z.int().min(0), ...Revenue.shape })
    .describe('All wallets that are not listed, together'),
  products: z.array(z.object({ product_id: z.string().min(1), ...Revenue.shape })),
  networks: z.array(z.object({ network: z.string().min(1), ...Revenue.shape })),
  per_day: z.array(z.object({ date: Day, ...Revenue.shape })),
  calls: z
    .object({
      from: Day.describe('First UTC day of the period; the count of calls goes back thirty days at most'),
      ...Calls.shape,
      per_day: z.array(CallsOfDay),
      products: z.array(z.object({ product_id: z.string().min(1), ...Calls.shape })),
    })
    .describe('Calls by UTC day and product, told apart by who bore the cost'),
})

export const x402Analytics = defineEndpoint({
  id: 'payments.analytics',
  method: 'GET',
  path: '/x402/analytics',
  access: free,
  openWith: 'publicRevenue',
  summary: 'What each wallet bought, addresses shortened',
  description:
    "Settled payments of a period per wallet, product, network and day, summed from the ledger, and calls per product and day. The operator's own wallets are left out, and addresses are shortened.",
  params: z.object({
    period: z.enum(PERIODS).default('7d').describe('How far back, counted by the time of settlement'),
  }),
  sample: { period: '7d' },
  response: Analytics,
  changes: callsChange,
  handle: async ({ payments, clock, mode, sourceOf }: PaymentServices, { period }) => {
    const [sales, usage] = await Promise.all([payments.sales(period), payments.usage()])
    return {
      timestamp: isoTime(clock.now()),
      source: sourceOf('ledger'),
      mode,
      period,
      from: period === 'all' ? null : isoTime(sales.fromMs),
      ...toRevenue(sales),
      unique_wallets: sales.payers,
      ...toWallets(sales),
      products: sales.perProduct.map((sum) => ({ product_id: sum.productId, ...toRevenue(sum) })),
      networks: sales.perNetwork.map((sum) => ({ network: sum.network, ...toRevenue(sum) })),
      per_day: sales.perDay.map((sum) => ({ date: toDate(sum.day), ...toRevenue(sum) })),
      calls: toCalls(usage, sales.fromMs, clock.now()),
    }
  },
})

/** Calls are counted by UTC day: the day in which the period begins is whole. */
function toCalls(usage: readonly UsageSum[], fromMs: number, nowMs: number) {
  const fromDay = Math.max(dayOf(fromMs), dayOf(nowMs) - USAGE_DAYS + 1)
  const counted = usage.filter(({ day }) => day >= fromDay)
  return {
    from: toDate(fromDay),
    ...addUp(counted),
    per_day: callsPerDay(counted),
    products: perProduct(counted).map(([product_id, sums]) => ({ product_id, ...addUp(sums) })),
  }
}

const dayOf = (ms: number) => Math.floor(ms / DAY_MS)

/** What the list leaves out is summed up, so that the parts always make the whole. */
function toWallets({ perPayer, payers, count, revenue }: PaymentTotals) {
  const listed = perPayer.slice(0, WALLETS_LISTED)
  const rest = {
    count: count - listed.reduce((sum, each) => sum + each.count, 0),
    revenue: (revenue - listed.reduce((sum, each) => sum + each.revenue, 0n)) as Usd,
  }
  return {
    wallets: listed.map((sum) => ({
      wallet: shorten(sum.payer),
      ...toRevenue(sum),
      first_at: isoTime(sum.firstMs),
      last_at: isoTime(sum.lastMs),
    })),
    other_wallets: { ...toRevenue(rest), count: payers - listed.length },
  }
}
