import type { PaymentHeader } from './read-payment.ts'

/**
 * A payment that came as JSON, as the header that would have carried it. What is no payment becomes a text that the
 * gate refuses: whoever presents something never falls back to a free call.
 */
export function findJsonPayment(value: unknown): PaymentHeader | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string') return { version: 2, text: value }
  const version = isVersion1(value) ? 1 : 2
  return { version, text: Buffer.from(JSON.stringify(value)).toString('base64') }
}

function isVersion1(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'x402Version' in value && value.x402Version === 1
}
