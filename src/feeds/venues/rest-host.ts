import { type Clock, sleep } from '../../core/time/clock.ts'
import { fetchNamed } from './fetch-named.ts'
import { type Allowance, createRequestBudget } from './request-budget.ts'

/** In wall time, whatever clock is handed in: it bounds a hanging connection. */
const TIMEOUT_MS = 10_000
/** The largest reply, a thousand candles, is about 200 kB. */
const MAX_REPLY_BYTES = 4 * 1024 * 1024
/** A request that would have to wait longer fails instead: its caller retries later. */
const MAX_QUEUE_MS = 30_000
/** For a 429 or 418 without a usable `Retry-After`. */
const DEFAULT_HOLD_MS = 10_000
/** Binance's longest ban. */
const MAX_HOLD_MS = 3 * 24 * 3_600_000
/** Binance answers 418 to clients that keep sending after a 429. */
const REFUSED_FOR_NOW: readonly number[] = [429, 418]

export type RestHost = {
  /** The JSON of a 200; every other outcome rejects. `cost` is in the units of the host's rate limit. */
  get(path: string, query: Readonly<Record<string, string | number>>, cost: number): Promise<unknown>
  /** Ends requests under way and refuses new ones. */
  close(): void
}

type Options = {
  baseUrl: string
  clock: Clock
  /** Undefined only against a server of our own. */
  allowance: Allowance | undefined
}

/** One host's REST API. After a 429 or 418 nothing is sent until its `Retry-After` has passed. */
export function createRestHost({ baseUrl, clock, allowance }: Options): RestHost {
  const budget = allowance && createRequestBudget(clock, allowance, MAX_QUEUE_MS)
  const closing = new AbortController()
  let holdUntilMs = Number.NEGATIVE_INFINITY

  const mayAsk = () => {
    if (closing.signal.aborted) throw new Error('closed')
    const waitMs = holdUntilMs - clock.now()
    if (waitMs > 0) throw new Error(`the venue refuses requests for another ${Math.ceil(waitMs / 1000)} s`)
  }
  return {
    async get(path, query, cost) {
      mayAsk()
      const waitMs = budget ? budget.findWaitMs(cost) : 0
      if (waitMs === undefined) throw new Error('too many requests are waiting for this venue')
      if (waitMs > 0) {
        await sleep(clock, waitMs, closing.signal)
        mayAsk()
      }
      const url = new URL(baseUrl + path)
      for (const [key, value] of Object.entries(query)) url.searchParams.set(key, String(value))
      const response = await fetchNamed(url, {
        // Coinbase refuses requests without a user agent.
        headers: { accept: 'application/json', 'user-agent': 'tollbook' },
        redirect: 'error',
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      })
      if (REFUSED_FOR_NOW.includes(response.status)) {
        const holdMs = toHoldMs(response.headers.get('retry-after'), clock.now())
        holdUntilMs = Math.max(holdUntilMs, clock.now() + holdMs)
      }
      if (response.status !== 200) {
        await response.body?.cancel()
        throw new Error(`GET ${path} answered ${response.status}`)
      }
      return JSON.parse(await readText(response))
    },
    close: () => closing.abort(),
  }
}

/** `Retry-After` in seconds or as a date. */
function toHoldMs(header: string | null, nowMs: number): number {
  if (header === null) return DEFAULT_HOLD_MS
  const holdMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs
  return holdMs > 0 ? Math.min(holdMs, MAX_HOLD_MS) : DEFAULT_HOLD_MS
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_REPLY_BYTES) throw new Error(`a reply of more than ${MAX_REPLY_BYTES} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
