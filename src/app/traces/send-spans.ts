import type { HeaderPair } from '../../config/header-list.ts'
import { readBoundedText } from '../../core/bounded-text.ts'
import { describeError } from '../../core/describe-error.ts'
import { shownText } from '../../core/shown-text.ts'
import { fetchNamed } from '../../upstreams/rules/fetch-named.ts'
import { toHoldMs } from '../../upstreams/rules/retry-after.ts'

/** `again`: the same may be sent later, not before `waitMs` where it says so. `refused`: it would be refused again. */
export type Sent =
  | { kind: 'sent'; rejected: number; said: string }
  | { kind: 'again'; cause: string; waitMs: number }
  | { kind: 'refused'; cause: string }

export type SendSpans = (body: string, signal: AbortSignal) => Promise<Sent>

/** All that OTLP allows to repeat. */
const RETRYABLE: readonly number[] = [429, 502, 503, 504]
const MAX_REPLY_BYTES = 65_536
const MAX_SAID = 200

type Target = { url: string; headers: readonly HeaderPair[]; nowMs: () => number }

/** One request to a collector. Never throws, follows no redirect, and reads no more of the reply than it needs. */
export function createSendSpans({ url, headers, nowMs }: Target): SendSpans {
  const address = new URL(url)
  const sent = new Headers({ 'content-type': 'application/json', 'user-agent': 'tollbook' })
  for (const [name, value] of headers) sent.set(name, value)
  return async (body, signal) => {
    try {
      const reply = await fetchNamed(address, {
        method: 'POST',
        headers: sent,
        body,
        signal,
        redirect: 'manual',
      })
      const text = await readBoundedText(reply, MAX_REPLY_BYTES)
      if (reply.ok) return { kind: 'sent', ...readPartialSuccess(text) }
      const cause = `${address.host}: answered ${reply.status}`
      return RETRYABLE.includes(reply.status)
        ? { kind: 'again', cause, waitMs: waitMsOf(reply, nowMs()) }
        : { kind: 'refused', cause }
    } catch (error) {
      return { kind: 'again', cause: describeError(error), waitMs: 0 }
    }
  }
}

function waitMsOf({ headers }: Response, nowMs: number): number {
  const retryAfter = headers.get('retry-after')
  return retryAfter === null ? 0 : toHoldMs(retryAfter, headers.get('date'), nowMs)
}

const NOTHING_SAID = { rejected: 0, said: '' }
const COUNT = /^\d{1,9}$/

/** What was taken is taken, whatever else stands in the reply. */
function readPartialSuccess(text: string | undefined): { rejected: number; said: string } {
  try {
    const partial = JSON.parse(text ?? '')?.partialSuccess
    const rejected = String(partial?.rejectedSpans ?? 0)
    const said = typeof partial?.errorMessage === 'string' ? shownText(partial.errorMessage, MAX_SAID) : ''
    return { rejected: COUNT.test(rejected) ? Number(rejected) : 0, said }
  } catch {
    return NOTHING_SAID
  }
}
