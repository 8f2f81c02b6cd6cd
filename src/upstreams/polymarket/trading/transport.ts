import { readBoundedBytes } from '../../../core/bounded-text.ts'
import { fetchNamed } from '../../rules/fetch-named.ts'
import { parseBoundedJson } from '../../rules/read-json.ts'
import { toHoldMs } from '../../rules/retry-after.ts'
import { isClearRefusal } from '../clear-refusal.ts'
import { readErrorBody } from '../error-body.ts'
import { TradingError, type TradingFault } from './trading-error.ts'

/** What the official client hands to its own `get`, `post` and `del`. */
export type ClientRequest = {
  headers?: Readonly<Record<string, string | number | boolean>>
  data?: unknown
  params?: Readonly<Record<string, unknown>>
}
export type Send = (url: string, request?: ClientRequest) => Promise<unknown>
export type Transport = Record<'get' | 'post' | 'del', Send> & { hasSent(): boolean }

export type TransportInput = {
  signal: AbortSignal
  /** Pages are requests too: a list that never ends is cut off here. */
  maxRequests: number
  nowMs: () => number
  /** Takes keys out of a text. */
  redact: (text: string) => string
}

const MAX_BYTES = 4 * 1024 * 1024
const MAX_ERROR_BYTES = 16 * 1024
/** Characters of an error that are told. */
export const MAX_WORDS = 300

/** Carries the requests of one call to the official client: no redirects, bounded in number, size, depth and time. */
export function createTransport(input: TransportInput): Transport {
  let left = input.maxRequests
  const via =
    (method: string): Send =>
    async (url, request = {}) => {
      if (left-- <= 0) throw new TradingError('unknown', `the reply has more than ${input.maxRequests} pages`)
      try {
        return await exchange(method, url, request, input)
      } catch (error) {
        if (error instanceof TradingError) throw error
        const reason = error instanceof Error ? error.message : String(error)
        throw new TradingError('unknown', input.redact(reason).slice(0, MAX_WORDS))
      }
    }
  const hasSent = () => left < input.maxRequests
  return { get: via('GET'), post: via('POST'), del: via('DELETE'), hasSent }
}

/** The JSON of a 2xx, or an empty text; every other answer rejects with a `TradingError`. */
async function exchange(method: string, url: string, request: ClientRequest, input: TransportInput) {
  const { headers = {}, data, params = {} } = request
  const target = new URL(url)
  for (const [name, value] of Object.entries(params))
    if (value !== undefined) target.searchParams.set(name, String(value))
  const reply = await fetchNamed(target, {
    method,
    headers: [
      ...Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      ['content-type', 'application/json'],
    ],
    ...(data !== undefined && { body: JSON.stringify(data) }),
    redirect: 'manual',
    signal: input.signal,
  })
  if (!reply.ok) throw await toError(reply, input)
  const bytes = await readBoundedBytes(reply, MAX_BYTES)
  if (!bytes) throw new TradingError('unknown', `an answer of more than ${MAX_BYTES} bytes`)
  // The venue may answer with nothing where there is nothing to say; what needs an answer then finds it malformed.
  return bytes.length === 0 ? '' : parseBoundedJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
}

const FAULTS: Readonly<Record<number, TradingFault>> = {
  401: 'unauthorized',
  403: 'unauthorized',
  404: 'not_found',
  425: 'restarting',
  429: 'limited',
  451: 'geoblocked',
}

/** Said with 403, which a key that is not taken gets too. */
const GEOBLOCKED = /restricted|\bregions?\b|geo-?block|jurisdiction/i

/** Other 503s say nothing about an order. */
const DISABLED = /trading is (currently )?(disabled|cancel-only)|post-only mode/i

async function toError(reply: Response, { nowMs, redact }: TransportInput): Promise<TradingError> {
  const { status, headers } = reply
  const words = findWords(await readBoundedBytes(reply, MAX_ERROR_BYTES), redact)
  const fault = faultOf(status, words ?? '')
  const retryAfter = headers.get('retry-after')
  const waitMs = retryAfter === null ? undefined : toHoldMs(retryAfter, headers.get('date'), nowMs())
  return new TradingError(fault, words ?? `answered ${status}`, waitMs)
}

function faultOf(status: number, words: string): TradingFault {
  if (status === 503 && DISABLED.test(words)) return 'disabled'
  if (status === 403 && GEOBLOCKED.test(words)) return 'geoblocked'
  return FAULTS[status] ?? (isClearRefusal(status) ? 'refused' : 'unknown')
}

/** Keys are taken out before anything is cut off, so that no part of one is left. */
function findWords(bytes: Uint8Array | undefined, redact: (text: string) => string): string | undefined {
  try {
    return readErrorBody(parseBoundedJson(redact(new TextDecoder().decode(bytes)))).message
  } catch {
    return undefined
  }
}
