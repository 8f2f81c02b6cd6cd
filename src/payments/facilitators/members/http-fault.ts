import type { Fault } from './member.ts'

/** Error codes of sockets, DNS and TLS that say: not a byte of the request was sent. */
const NOT_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EAI_FAIL|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|UND_ERR_INVALID_ARG|ERR_INVALID_URL|CERT_.*|ERR_TLS_.*|.*SELF_SIGNED_CERT.*|UNABLE_TO_.*|HOSTNAME_MISMATCH)$/
/** 4xx that a proxy may send although the request went through, or that refer to an earlier copy of it. */
const MAY_HAVE_ACTED: ReadonlySet<number> = new Set([408, 409, 425])

/** Why `fetch` threw. A reset may come after the facilitator has read everything. */
export function faultOfError(error: unknown, signal: AbortSignal): Fault {
  if (signal.aborted) return 'timeout'
  const codes = codesOf(error)
  return codes.length > 0 && codes.every((code) => NOT_CONNECTED.test(code)) ? 'unreachable' : 'reset'
}

/** The fault behind a reply without an x402 answer. */
export function faultOfReply(status: number, isJson: boolean): Fault {
  if (status >= 300 && status < 400) return 'unreachable'
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 503 && !isJson) return 'edge'
  if (status >= 500 || MAY_HAVE_ACTED.has(status)) return 'server_error'
  if (status >= 400) return isJson ? 'rejected' : 'edge'
  return 'unparsable'
}

/** Codes of the root causes: trying two addresses of a host fails with one error for each. */
function codesOf(error: unknown, depth = 0): string[] {
  const MAX_DEPTH = 4
  if (!(error instanceof Error) || depth > MAX_DEPTH) return []
  if (error instanceof AggregateError) return error.errors.flatMap((part) => codesOf(part, depth + 1))
  if (error.cause !== undefined) return codesOf(error.cause, depth + 1)
  return 'code' in error && typeof error.code === 'string' ? [error.code] : []
}
