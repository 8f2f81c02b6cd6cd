import { z } from 'zod'
import { payer } from '../catalog/access.ts'
import { defineEndpoint } from '../catalog/endpoints/endpoint.ts'
import { ServiceError } from '../core/service-error.ts'
import { REPLY_KEPT_MS } from '../ledger/ports/payment-book.ts'
import { isoTime } from '../products/fields.ts'
import { OWN_LIMIT } from './limits.ts'
import type { AccountServices } from './services.ts'

export const storedReply = defineEndpoint({
  id: 'account.reply',
  method: 'GET',
  path: '/account/replies/{id}',
  access: payer,
  caller: true,
  limit: OWN_LIMIT,
  summary: 'A reply that the calling wallet bought in the last 24 hours',
  description:
    'The JSON that was sold, in reply, for the wallet that paid for it: for clients that lost it after paying. Receipt and digest are at /x402/receipts/{id}. It is as old as the purchase and costs nothing. Sign with SIGN-IN-WITH-X (see /account/sign-in), or send the token of a holder. After 24 hours, or for any other wallet, 404.',
  params: z.object({
    id: z
      .string()
      .regex(/^[A-Za-z0-9_-]{8,128}$/, 'must be 8 to 128 letters, digits, - or _')
      .describe('Id of a purchase, from its receipt'),
  }),
  sample: { id: 'q3Zr0XoTnW5bQm1Yc8Kd2A' },
  placeholders: {
    values: { id: 'PURCHASE_ID' },
    from: 'Put the id of a purchase in place of `PURCHASE_ID`: its receipt has it, and /account/receipts lists yours.',
  },
  response: z.object({
    id: z.string().min(1),
    product_id: z.string().min(1),
    request: z.string().min(1),
    settled_at: z.iso.datetime(),
    reply: z.unknown().describe('The body that was sold'),
  }),
  handle: async ({ clock, purchases }: AccountServices, { id }, { wallet }) => {
    const row = await purchases.findById(id)
    const isOwn = row?.payer === wallet && row.state === 'settled'
    const settledAtMs = row?.settledAtMs ?? 0
    if (!row?.reply || !isOwn || clock.now() > settledAtMs + REPLY_KEPT_MS)
      throw new ServiceError('not_found', 'this wallet has no stored reply with this id', {
        hint: 'GET /account/receipts lists them; replies are kept for 24 hours',
      })
    const { productId, request, reply } = row
    return {
      id,
      product_id: productId,
      request,
      settled_at: isoTime(settledAtMs),
      reply: JSON.parse(reply.text) as unknown,
    }
  },
})
