import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import type { Usd } from '../../core/money.ts'
import { shorten } from '../../core/shorten.ts'
import type { PaymentTotals } from '../../ledger/ports/payment-book-queries.ts'
import { isoTime, Source, sampleTime, Timestamp } from '../fields.ts'
import { type PaymentServices, PERIODS } from './services.ts'
import { Day, OfMode, Revenue, toDate, toRevenue } from './x402-fields.ts'

const WALLETS_LISTED = 100

const Wallet = z.object({
  wallet: z.string().describe('Shortened: this reply is public'),
  ...Revenue.shape,
  first_at: z.iso.datetime(),
  last_at: z.iso.datetime(),
})

const sampleRevenue = { settlements: 2, revenue_usdc: 0.002, revenue_atomic: '2000' }

export const x402Analytics = defineEndpoint({
  id: 'payments.analytics',
  method: 'GET',
  path: '/x402/analytics',
  access: free,
  openWith: 'publicRevenue',
  summary: 'What each wallet bought, addresses shortened',
  description:
    "Settled payments of a period per wallet, product, network and day, summed from the ledger. The operator's own wallets are left out, and addresses are shortened.",
  params: z.object({
    period: z.enum(PERIODS).default('7d').describe('How far back, counted by the time of settlement'),
  }),
  sample: { period: '7d' },
  response: z.object({
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
  }),
  example: {
    timestamp: sampleTime,
    source: 'ledger',
    mode: 'live',
    period: '7d',
    from: '2025-12-29T12:00:00.000Z',
    ...sampleRevenue,
    unique_wallets: 1,
    wallets: [{ wallet: '0x1234…abcd', ...sampleRevenue, first_at: sampleTime, last_at: sampleTime }],
    other_wallets: { count: 0, settlements: 0, revenue_usdc: 0, revenue_atomic: '0' },
    products: [{ product_id: 'market.price', ...sampleRevenue }],
    networks: [{ network: 'eip155:8453', ...sampleRevenue }],
    per_day: [{ date: '2026-01-05', ...sampleRevenue }],
  },
  handle: async ({ payments, clock, mode, sourceOf }: PaymentServices, { period }) => {
    const sales = await payments.sales(period)
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
    }
  },
})

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
