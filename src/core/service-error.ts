/** Failures we expect, each with its HTTP status and title; every surface reads this table. */
const FAILURES = {
  bad_request: [400, 'The request is malformed'],
  payment_headers_differ: [400, 'Two different payments came with one request'],
  unauthorized: [401, 'A credential is needed'],
  transfer_refused: [402, 'That transfer does not pay for this'],
  forbidden: [403, 'That credential does not allow this'],
  not_found: [404, 'Nothing is here'],
  unknown_token: [404, 'That token is not known'],
  method_not_allowed: [405, 'That method is not offered here'],
  conflict: [409, 'That conflicts with what was done before'],
  payment_already_used: [409, 'That payment has been used already'],
  payment_in_progress: [409, 'That payment is being worked on'],
  body_too_large: [413, 'The body is too large'],
  address_too_long: [414, 'The address is too long'],
  not_json: [415, 'The body must be JSON'],
  rate_limited: [429, 'Too many requests'],
  headers_too_large: [431, 'The headers are too large'],
  internal: [500, 'Something broke on our side'],
  stale_data: [503, 'The data is older than this product allows'],
  upstream_unavailable: [503, 'A source this product needs is not answering'],
  payments_unavailable: [503, 'Payments cannot be taken right now'],
  payment_pending: [503, 'The chain has not decided about that payment yet'],
  store_unavailable: [503, 'The ledger cannot be written right now'],
  shutting_down: [503, 'The service is restarting'],
} as const satisfies Record<string, readonly [status: number, title: string]>

export type FailureCode = keyof typeof FAILURES

export const FAILURE_CODES = Object.keys(FAILURES) as FailureCode[]
export const statusOf = (code: FailureCode): number => FAILURES[code][0]
export const titleOf = (code: FailureCode): string => FAILURES[code][1]
/** The `type` of a problem document (RFC 9457). */
export const problemTypeOf = (code: FailureCode): string => `urn:tollbook:error:${code}`

const RETRY_AFTER_S = 5

/** A failure we expect, with a code and a hint on what to do next. Anything else that is thrown is a bug. */
export class ServiceError extends Error {
  readonly code: FailureCode
  readonly hint: string | undefined
  readonly retryAfterS: number | undefined

  constructor(code: FailureCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ServiceError'
    this.code = code
    this.hint = options.hint
    this.retryAfterS = options.retryAfterS ?? (isTemporary(code) ? RETRY_AFTER_S : undefined)
  }
}

type ServiceErrorOptions = { hint?: string; retryAfterS?: number; cause?: unknown }

function isTemporary(code: FailureCode): boolean {
  const status = statusOf(code)
  return status === 503 || status === 429
}
