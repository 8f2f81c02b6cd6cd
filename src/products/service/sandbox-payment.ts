import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { ServiceServices } from './services.ts'

/** More than any header that Node lets through. */
const HEADER_LIMIT = 16_384
const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be base64, as in the header')

export const sandboxPayment = defineEndpoint({
  id: 'sandbox.payment',
  method: 'POST',
  paramsIn: 'body',
  path: '/sandbox/payment',
  access: free,
  onlyWith: 'playMoney',
  limit: { name: 'sandbox-payments', calls: 300, windowS: 60 },
  summary: 'A payment signed by a throw-away wallet',
  description:
    'Makes a wallet with play money, lets it sign the terms of a 402 and returns the payment: send the same request again with it in PAYMENT-SIGNATURE. For browsers and for curl; a program signs by itself.',
  params: z.object({
    payment_required: base64.max(HEADER_LIMIT).describe('The header PAYMENT-REQUIRED of a 402, as it is'),
  }),
  sample: { payment_required: 'eyJ4NDAyVmVyc2lvbiI6Mn0=' },
  placeholders: {
    values: { payment_required: 'PAYMENT_REQUIRED' },
    from: 'Put the header PAYMENT-REQUIRED of a 402 of this service in place of `PAYMENT_REQUIRED`.',
  },
  response: z.object({ payment_signature: base64.describe('For the header PAYMENT-SIGNATURE') }),
  handle: async ({ signPlayPayment }: ServiceServices, { payment_required }) => {
    if (!signPlayPayment) throw new ServiceError('not_found', 'there is no play money here')
    return { payment_signature: await signPlayPayment(payment_required) }
  },
})
