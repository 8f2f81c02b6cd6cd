import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { parseAtomic, toUsdNumber } from '../../core/money.ts'
import { ServiceError } from '../../core/service-error.ts'
import { isoTime } from '../fields.ts'
import type { PaymentServices, PurchaseRecord } from './services.ts'
import { OfMode, OptionalTime, toOptionalTime } from './x402-fields.ts'

const Id = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,128}$/, 'must be 8 to 128 letters, digits, - or _')
  .describe('Id of a purchase, from its receipt')

const Purchase = z.object({
  id: z.string().min(1),
  mode: OfMode,
  state: z
    .enum(['claimed', 'settling', 'settled', 'void'])
    .describe('settled: paid; void: expired unused, nothing was charged; else under way'),
  product_id: z.string().min(1),
  request: z.string().min(1).describe('Method, path and query as bought'),
  payer: z.string().min(1),
  network: z.string().min(1),
  asset: z.string().min(1),
  amount_usdc: z.number().min(0),
  amount_atomic: z.string().regex(/^\d+$/),
  pay_to: z.string().min(1),
  transaction: z.string().min(1).nullable(),
  claimed_at: z.iso.datetime(),
  settled_at: OptionalTime,
  receipt: z.string().min(1).nullable().describe('Compact JWS, EdDSA; its kid is the did:key of the service'),
  content_digest: z.string().min(1).nullable().describe('Of the exact bytes that were delivered (RFC 9530)'),
})

export const receipts = defineEndpoint({
  id: 'payments.receipt',
  method: 'GET',
  path: '/x402/receipts/{id}',
  access: free,
  summary: 'A purchase and its signed receipt',
  description:
    'What was bought, for how much, by which transaction and when, with the receipt signed by the service. The data itself is not repeated here. The id is known to the buyer only.',
  params: z.object({ id: Id }),
  sample: { id: 'q3Zr0XoTnW5bQm1Yc8Kd2A' },
  placeholders: {
    values: { id: 'PURCHASE_ID' },
    from: 'Put the id of your purchase in place of `PURCHASE_ID`: the receipt in PAYMENT-RESPONSE has it.',
  },
  response: Purchase,
  handle: async ({ payments, mode }: PaymentServices, { id }) => {
    const purchase = await payments.findPurchase(id)
    if (purchase) return toReply(purchase, mode)
    throw new ServiceError('not_found', 'no purchase has this id', {
      hint: 'the id is in the receipt that came with PAYMENT-RESPONSE; a payment that was refused has none',
    })
  },
})

/** Field by field: the ledger's row also holds the payment and the reply, and neither belongs here. */
function toReply(purchase: PurchaseRecord, mode: PaymentServices['mode']): z.input<typeof Purchase> {
  const { id, state, request, payer, network, asset, amount, transaction } = purchase
  return {
    id,
    mode,
    state,
    product_id: purchase.productId,
    request,
    payer,
    network,
    asset,
    amount_usdc: toUsdNumber(parseAtomic(amount)),
    amount_atomic: amount,
    pay_to: purchase.payTo,
    transaction: transaction ?? null,
    claimed_at: isoTime(purchase.claimedAtMs),
    settled_at: toOptionalTime(purchase.settledAtMs),
    receipt: purchase.receipt ?? null,
    content_digest: purchase.contentDigest ?? null,
  }
}
