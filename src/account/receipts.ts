import { z } from 'zod'
import { payer } from '../catalog/access.ts'
import { toCsv } from '../catalog/csv.ts'
import { defineEndpoint } from '../catalog/endpoints/endpoint.ts'
import { parseAtomic, toUsdNumber } from '../core/money.ts'
import { REPLY_KEPT_MS } from '../ledger/ports/payment-book.ts'
import type { Purchased } from '../ledger/ports/payment-book-queries.ts'
import { isoTime, Source, Timestamp } from '../products/fields.ts'
import { OWN_LIMIT } from './limits.ts'
import type { AccountServices } from './services.ts'

const MAX_ROWS = 1_000
const DEFAULT_ROWS = 50
const MAX_OFFSET = 1_000_000

const Receipt = z.object({
  id: z.string().min(1),
  settled_at: z.iso.datetime(),
  product_id: z.string().min(1),
  request: z.string().describe('Method, path and query as bought'),
  amount_usdc: z.number().min(0),
  amount_atomic: z.string().regex(/^\d+$/),
  network: z.string().min(1),
  asset: z.string().min(1),
  transaction: z.string().min(1).nullable(),
  reply_until: z.iso
    .datetime()
    .nullable()
    .describe('Until then /account/replies/{id} has the reply; null: it is gone'),
})
const COLUMNS = Object.keys(Receipt.shape) as (keyof z.infer<typeof Receipt>)[]

export const receipts = defineEndpoint({
  id: 'account.receipts',
  method: 'GET',
  path: '/account/receipts',
  access: payer,
  caller: true,
  limit: OWN_LIMIT,
  summary: 'What the calling wallet bought and spent',
  description:
    'The settled purchases of the wallet that signed the call, newest first, and what all of them cost. Sign with SIGN-IN-WITH-X (see /account/sign-in), or send the token of a holder. As a table with Accept: text/csv or format=csv. Nobody sees purchases of another wallet. The signed receipt of each is at /x402/receipts/{id}.',
  params: z.object({
    limit: z
      .int()
      .min(1)
      .max(MAX_ROWS)
      .optional()
      .describe(`At most so many purchases; absent: ${DEFAULT_ROWS}, in a table ${MAX_ROWS}`),
    offset: z.int().min(0).max(MAX_OFFSET).default(0).describe('Purchases to skip'),
    format: z.enum(['json', 'csv']).default('json').describe('csv: the purchases as a table'),
  }),
  sample: {},
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    wallet: z.string().min(1),
    network: z.string().min(1),
    purchases: z.int().min(0).describe('All of the wallet, not only those listed'),
    spent_usdc: z.number().min(0),
    spent_atomic: z.string().regex(/^\d+$/),
    items: z.array(Receipt),
    next_offset: z.int().nullable().describe('Null: there are no more'),
  }),
  csv: {
    fileName: 'tollbook-receipts.csv',
    toText: ({ items }) =>
      toCsv(
        COLUMNS,
        items.map((item) => COLUMNS.map((name) => item[name])),
      ),
  },
  page: ({ purchases, next_offset }) => ({ total: purchases, nextOffset: next_offset }),
  handle: async ({ clock, purchases, sourceOf }: AccountServices, params, { wallet, network }) => {
    const { format, offset, limit = format === 'csv' ? MAX_ROWS : DEFAULT_ROWS } = params
    const { count, revenue, rows } = await purchases.purchasesOf(wallet, { limit, offset })
    return {
      timestamp: isoTime(clock.now()),
      source: sourceOf('ledger'),
      wallet,
      network,
      purchases: count,
      spent_usdc: toUsdNumber(revenue),
      spent_atomic: String(revenue),
      items: rows.map((row) => toReceipt(row, clock.now())),
      next_offset: offset + rows.length < count && rows.length > 0 ? offset + rows.length : null,
    }
  },
})

function toReceipt(row: Purchased, nowMs: number): z.input<typeof Receipt> {
  const { id, productId, request, amount, network, asset, transaction, settledAtMs, hasReply } = row
  const untilMs = settledAtMs + REPLY_KEPT_MS
  return {
    id,
    settled_at: isoTime(settledAtMs),
    product_id: productId,
    request,
    amount_usdc: toUsdNumber(parseAtomic(amount)),
    amount_atomic: amount,
    network,
    asset,
    transaction: transaction ?? null,
    reply_until: hasReply && nowMs <= untilMs ? isoTime(untilMs) : null,
  }
}
