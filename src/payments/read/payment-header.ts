import { isDeepStrictEqual } from 'node:util'
import { ServiceError } from '../../core/service-error.ts'
import { findHeaderJson } from './bounded-json.ts'
import type { PaymentHeader } from './read-payment.ts'

/** Header names in lower case; several lines of one name as a list, or joined with commas as node does. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * The payment of a request, if it has one. Some clients send it in both headers, to support either version: that is
 * one payment. Two lines of the same name are refused later, because a text with a comma is not base64.
 */
export function pickPaymentHeader({ headers }: { headers: RequestHeaders }): PaymentHeader | undefined {
  const v2 = textOf(headers['payment-signature'])
  const v1 = textOf(headers['x-payment'])
  if (v2 === undefined) return v1 === undefined ? undefined : { version: 1, text: v1 }
  if (v1 !== undefined && v1 !== v2 && !isSamePayment(v1, v2)) {
    throw new ServiceError(
      'payment_headers_differ',
      'PAYMENT-SIGNATURE and X-PAYMENT hold different payments; nothing was charged',
      { hint: 'send the payment in one of the two headers' },
    )
  }
  return { version: 2, text: v2 }
}

export const hasPaymentHeader = (headers: RequestHeaders): boolean =>
  headers['payment-signature'] !== undefined || headers['x-payment'] !== undefined

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'object' ? header.join(',') : header
}

/** What was signed is in `payload`, in both versions alike. Its depth was bounded when the header was read. */
function isSamePayment(v1: string, v2: string): boolean {
  const payload = findHeaderJson(v1)?.payload
  return payload !== undefined && isDeepStrictEqual(payload, findHeaderJson(v2)?.payload)
}
