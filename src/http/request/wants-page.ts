import type { RequestHeaders } from '../../payments/read/payment-header.ts'
import { findAccepted } from './accepted.ts'

const HTML = 'text/html'
/** What `HttpURLConnection` sends unless it is told otherwise: its caller is a program that never chose a page. */
const JAVA_DEFAULT = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2'
const OFFERED = ['application/json', 'application/problem+json', HTML]

/**
 * Whether a caller prefers a page: it names `text/html` before JSON. Stock payment clients send nothing, a wildcard or
 * JSON, and get JSON. Who sends a payment is a program, whatever it accepts.
 */
export function wantsPage(headers: RequestHeaders & { accept?: string | undefined }): boolean {
  const { accept } = headers
  const isPaying = headers['payment-signature'] !== undefined || headers['x-payment'] !== undefined
  return !isPaying && accept !== JAVA_DEFAULT && findAccepted(OFFERED, accept) === HTML
}
