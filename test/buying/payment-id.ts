import { createHash } from 'node:crypto'
import { z } from 'zod'

const Authorized = z.object({ authorization: z.object({ from: z.string(), nonce: z.string() }) })
const Transacted = z.object({ transaction: z.base64() })
const Payment = z.object({ payload: z.union([Authorized, Transacted]) })

/** What the chain allows only once. Computed here independently of the service's own code. */
export function paymentIdOf(payment: unknown): string {
  const { payload } = Payment.parse(payment)
  if ('transaction' in payload) return svmIdOf(payload.transaction)
  return evmIdOf(payload.authorization.from, payload.authorization.nonce)
}

export const evmIdOf = (from: string, nonce: string): string => `${from}/${nonce}`.toLowerCase()

const SIGNATURE_BYTES = 64

/** The message alone: the facilitator adds its signature to the transaction. A count below 128 takes one byte. */
export function svmIdOf(transaction: string): string {
  const bytes = Buffer.from(transaction, 'base64')
  const message = bytes.subarray(1 + SIGNATURE_BYTES * (bytes[0] ?? 0))
  return createHash('sha256').update(message).digest('hex')
}

export function paymentIdOfHeader(header: string): string {
  return paymentIdOf(JSON.parse(Buffer.from(header, 'base64').toString()))
}
