import { exchange } from '../../upstreams/rules/exchange.ts'
import { fetchNamed } from '../../upstreams/rules/fetch-named.ts'
import { readJson } from '../../upstreams/rules/read-json.ts'
import { writeRequest } from '../../upstreams/rules/written-request.ts'
import type { Upstream } from '../../upstreams/upstream.ts'
import { parseWire } from '../../upstreams/wire/reply.ts'

const MAX_REPLY_BYTES = 16 * 1024 * 1024

export type Answer = { status: number; json: unknown; headers: Headers; tookMs: number }

/** One request without a second try: what the operator is told is what happened. */
export async function askOnce(url: string, signal: AbortSignal): Promise<Answer> {
  const startedMs = performance.now()
  const reply = await fetchNamed(new URL(url), {
    headers: { accept: 'application/json', 'user-agent': 'tollbook' },
    redirect: 'manual',
    signal,
  })
  const json = await readJson(reply, MAX_REPLY_BYTES)
  return { status: reply.status, json, headers: reply.headers, tookMs: performance.now() - startedMs }
}

/** For the clients of a provider: every request is sent once, at once. */
export function askerOf(
  baseUrl: string,
  signal: AbortSignal,
  headers?: Readonly<Record<string, string>>,
): Pick<Upstream, 'ask'> {
  return {
    async ask(request) {
      const written = writeRequest(new URL(baseUrl), request)
      const { maxBytes = MAX_REPLY_BYTES } = request
      const json = await exchange(written, { signal, maxBytes, headers, note: () => {}, nowMs: 0 })
      return parseWire(request.schema, json, `${written.method} ${written.path}`)
    },
  }
}
