/** Headers as node writes them fastest: name, value, name, value. */
export type HeaderList = readonly string[]

export const JSON_TYPE = 'application/json; charset=utf-8'
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'
export const NO_STORE = 'private, no-store'

/** What a page in another origin may read; decisions of who may call are never made by CORS. */
const EXPOSED = [
  'PAYMENT-REQUIRED',
  'X-Payment-Required',
  'PAYMENT-RESPONSE',
  'X-PAYMENT-RESPONSE',
  'X-Demo-Calls-Limit',
  'X-Demo-Calls-Remaining',
  'X-Request-Id',
  'X-Tollbook-Mode',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Content-Digest',
  'ETag',
  'Age',
  'Link',
].join(', ')

/** Stock payment clients send `Access-Control-Expose-Headers` as a request header, so a preflight asks for it. */
const ALLOWED = [
  'PAYMENT-SIGNATURE',
  'X-PAYMENT',
  'SIGN-IN-WITH-X',
  'Authorization',
  'Content-Type',
  'Accept',
  'If-None-Match',
  'Idempotency-Key',
  'X-Demo',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'A2A-Version',
  'A2A-Extensions',
  'X-Request-Id',
  'Access-Control-Expose-Headers',
].join(', ')

const PREFLIGHT_MAX_AGE_S = '86400'

/** On every reply, whatever it is. */
export function commonHeaders(mode: string, baseUrl: string): HeaderList {
  return [
    'X-Tollbook-Mode',
    mode,
    'X-Content-Type-Options',
    'nosniff',
    'X-Frame-Options',
    'DENY',
    'Referrer-Policy',
    'no-referrer',
    ...(baseUrl.startsWith('https:') ? ['Strict-Transport-Security', 'max-age=31536000'] : []),
  ]
}

/** Of everything that is not a page. */
export const NOTHING_ALLOWED = "default-src 'none'; frame-ancestors 'none'"

/** On every reply but those of operator routes. */
export const CORS: HeaderList = ['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED]

export function preflightHeaders(allow: string): HeaderList {
  return [
    'Access-Control-Allow-Origin',
    '*',
    'Access-Control-Allow-Methods',
    allow,
    'Access-Control-Allow-Headers',
    ALLOWED,
    'Access-Control-Max-Age',
    PREFLIGHT_MAX_AGE_S,
  ]
}
