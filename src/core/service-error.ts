import type { Unseen } from './sign-in-cause.ts'

/** Failures we expect, each with its HTTP status, its title, and the way out where nothing nearer is known; every surface reads this table. */
const FAILURES = {
  bad_request: [400, 'The request is malformed', 'correct the request; GET /openapi.json describes it'],
  invalid_json: [400, 'The body is not valid JSON', 'send one JSON object in UTF-8'],
  payment_headers_differ: [
    400,
    'Two different payments came with one request',
    'send the payment in one of the two headers',
  ],
  unauthorized: [401, 'A credential is needed', 'send it as Authorization: Bearer'],
  transfer_refused: [402, 'That transfer does not pay for this', 'pay through x402 instead'],
  forbidden: [403, 'That credential does not allow this', 'use a credential that does'],
  foreign_origin: [
    403,
    'Not for pages of other sites',
    'call it from a program, by the address that GET / names',
  ],
  not_found: [404, 'Nothing is here', 'GET / lists every endpoint'],
  unknown_token: [404, 'That token is not known', 'GET /openapi.json names what can be asked for'],
  method_not_allowed: [405, 'That method is not offered here', 'the Allow header lists those that are'],
  conflict: [409, 'That cannot be done as things stand', 'look at what is there, then decide'],
  payment_already_used: [409, 'That payment has been used already', 'sign a new payment'],
  payment_in_progress: [
    409,
    'That payment is being worked on',
    'send the same request with the same payment after Retry-After',
  ],
  body_too_large: [413, 'The body is too large', 'send a smaller body'],
  address_too_long: [414, 'The address is too long', 'ask with fewer or shorter params'],
  not_json: [415, 'The body must be JSON', 'send plain JSON in UTF-8 with Content-Type: application/json'],
  rate_limited: [429, 'Too many requests', 'wait for Retry-After'],
  headers_too_large: [431, 'The headers are too large', 'send less than 16 KB of headers'],
  internal: [500, 'Something broke on our side', 'try again; tell the operator this request id if it stays'],
  stale_data: [503, 'The data is older than this product allows', 'try again after Retry-After'],
  upstream_unavailable: [
    503,
    'A source this product needs is not answering',
    'try again after Retry-After; GET /health says what is down',
  ],
  payments_unavailable: [
    503,
    'Payments cannot be taken right now',
    'send the same request with the same payment after Retry-After',
  ],
  payment_pending: [
    503,
    'The chain has not decided about that payment yet',
    'send the same request with the same payment after Retry-After; do not sign a new one',
  ],
  store_unavailable: [503, 'The ledger cannot be written right now', 'try again after Retry-After'],
  counters_unavailable: [
    503,
    'Calls cannot be counted right now',
    'try again after Retry-After; what is paid for with the request is sold all the same',
  ],
  shutting_down: [503, 'The service is restarting', 'try again after Retry-After'],
} as const satisfies Record<string, readonly [status: number, title: string, hint: string]>

export type FailureCode = keyof typeof FAILURES

export const FAILURE_CODES = Object.keys(FAILURES) as FailureCode[]
export const statusOf = (code: FailureCode): number => FAILURES[code][0]
export const titleOf = (code: FailureCode): string => FAILURES[code][1]
export const hintOf = (code: FailureCode): string => FAILURES[code][2]
/** The `type` of a problem document (RFC 9457). */
export const problemTypeOf = (code: FailureCode): string => `urn:tollbook:error:${code}`

const RETRY_AFTER_S = 5

/** A failure we expect, with a code and a hint on what to do next. Anything else that is thrown is a bug. */
export class ServiceError extends Error {
  readonly code: FailureCode
  readonly hint: string
  readonly retryAfterS: number | undefined
  /** What the log may know and the caller may not. */
  readonly unseen: Unseen | undefined

  constructor(code: FailureCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ServiceError'
    this.code = code
    this.hint = options.hint ?? hintOf(code)
    this.unseen = options.unseen
    this.retryAfterS = options.retryAfterS ?? (isTemporary(code) ? RETRY_AFTER_S : undefined)
  }
}

type ServiceErrorOptions = { hint?: string; retryAfterS?: number; cause?: unknown; unseen?: Unseen }

function isTemporary(code: FailureCode): boolean {
  const status = statusOf(code)
  return status === 503 || status === 429
}
