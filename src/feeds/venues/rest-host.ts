import { type Clock, sleep } from '../../core/time/clock.ts'
import { fetchNamed } from '../../upstreams/rules/fetch-named.ts'
import type { HostGate } from '../../upstreams/rules/host-gate.ts'
import { readJson } from '../../upstreams/rules/read-json.ts'
import { type Allowance, createRequestBudget } from '../../upstreams/rules/request-budget.ts'

const TIMEOUT_MS = 10_000
/** The largest reply, a thousand candles, is about 200 kB. */
const MAX_REPLY_BYTES = 4 * 1024 * 1024
/** A request that would have to wait longer fails instead: its caller retries later. */
const MAX_QUEUE_MS = 30_000

/** `venueMs` is the host's time of the reply, where it says so, to the second. */
export type RestReply = { json: unknown; venueMs: number | undefined }
type Query = Readonly<Record<string, string | number>>

export type RestHost = {
  /** The JSON of a 200; every other outcome rejects. `cost` is in the units of the host's rate limit. */
  get(path: string, query: Query, cost: number): Promise<unknown>
  /** The same with the time of the reply. */
  ask(path: string, query: Query, cost: number): Promise<RestReply>
  /** Ends requests under way and refuses new ones. */
  close(): void
}

type Options = {
  baseUrl: string
  clock: Clock
  gate: HostGate
  /** Undefined only against a server of our own. */
  allowance: Allowance | undefined
}

/** One host's REST API. */
export function createRestHost({ baseUrl, clock, gate, allowance }: Options): RestHost {
  const budget = allowance && createRequestBudget(clock, allowance, MAX_QUEUE_MS)
  const closing = new AbortController()

  const mayAsk = () => {
    if (closing.signal.aborted) throw new Error('closed')
    gate.check()
  }
  const send = async (path: string, query: Query, signal: AbortSignal): Promise<RestReply> => {
    const url = new URL(baseUrl + path)
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, String(value))
    const response = await fetchNamed(url, {
      // Coinbase refuses requests without a user agent.
      headers: { accept: 'application/json', 'user-agent': 'tollbook' },
      redirect: 'error',
      signal,
    })
    const date = response.headers.get('date')
    gate.note({ status: response.status, retryAfter: response.headers.get('retry-after'), date })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new Error(`GET ${path} answered ${response.status}`)
    }
    const venueMs = Date.parse(date ?? '')
    return {
      json: await readJson(response, MAX_REPLY_BYTES),
      venueMs: Number.isNaN(venueMs) ? undefined : venueMs,
    }
  }
  const ask: RestHost['ask'] = async (path, query, cost) => {
    mayAsk()
    const waitMs = budget ? budget.findWaitMs(cost) : 0
    if (waitMs === undefined) throw new Error('too many requests are waiting for this venue')
    if (waitMs > 0) {
      await sleep(clock, waitMs, closing.signal)
      mayAsk()
    }
    return gate.pass(async () => {
      mayAsk()
      const late = new AbortController()
      const cancel = clock.after(TIMEOUT_MS, () =>
        late.abort(new Error(`no reply in ${TIMEOUT_MS / 1000} s`)),
      )
      try {
        return await send(path, query, AbortSignal.any([closing.signal, late.signal]))
      } finally {
        cancel()
      }
    })
  }
  return {
    ask,
    get: async (path, query, cost) => (await ask(path, query, cost)).json,
    close: () => closing.abort(),
  }
}
