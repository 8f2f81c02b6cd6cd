import { z } from 'zod'

const MAX_AGE_LIMIT_S = 86_400

/** Accepted on every paid path beside its own params; they steer the payment and never reach the product. */
export const PaymentParams = z.object({
  demo: z.enum(['0', '1']).default('1').describe('0 asks for the 402 at once, without using a free call'),
  x402_version: z
    .enum(['1', '2'])
    .default('2')
    .describe('1 makes the body of a 402 a v1 envelope; its headers stay v2'),
  max_age: z
    .number()
    .min(0)
    .max(MAX_AGE_LIMIT_S)
    .optional()
    .describe('Oldest data you will pay for, in seconds; older data is answered 503 and not charged'),
})
export type PaymentParams = z.output<typeof PaymentParams>

export const PAYMENT_PARAM_NAMES = Object.keys(PaymentParams.shape)
