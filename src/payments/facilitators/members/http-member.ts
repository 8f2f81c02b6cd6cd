import { readBoundedText } from '../../../core/bounded-text.ts'
import { toHoldMs } from '../../../upstreams/rules/retry-after.ts'
import { PUBLIC_LIMITS } from '../load.ts'
import { faultOfError, faultOfReply } from './http-fault.ts'
import { busyFor, type FacilitatorMember, faulty, type MemberReply } from './member.ts'
import { parseSettle, parseSupported, parseVerify } from './wire.ts'

/** Far more than any x402 answer. */
const MAX_REPLY_BYTES = 262_144

/** Headers that prove who we are, made anew for every call. */
export type FacilitatorAuth = (method: 'GET' | 'POST', url: URL) => Record<string, string>
export type HttpMemberOptions = {
  /** Its public base address, for example `https://facilitator.example/x402`. */
  url: string
  auth?: FacilitatorAuth | undefined
  fetch?: typeof globalThis.fetch | undefined
}
type Parse<T> = (json: unknown) => T

/** A facilitator behind HTTP. Redirects are not followed: payments go only to the configured host. */
export function createHttpMember({
  url,
  auth,
  fetch = globalThis.fetch,
}: HttpMemberOptions): FacilitatorMember {
  const base = new URL(url)
  const call = async <T>(path: string, body: unknown, signal: AbortSignal, parse: Parse<T>) => {
    const target = new URL(`${base.href.replace(/\/+$/, '')}/${path}`)
    const method = body === undefined ? 'GET' : 'POST'
    try {
      const reply = await fetch(target, {
        method,
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          ...auth?.(method, target),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: 'manual',
        signal,
      })
      const text = await readBoundedText(reply, MAX_REPLY_BYTES)
      // Whatever it says: nothing was read, and it wants to be left alone.
      if (reply.status === 429) return busyFor(waitMsOf(reply))
      return toReply(reply.status, text, parse)
    } catch (error) {
      return faulty(faultOfError(error, signal))
    }
  }
  return {
    name: base.host,
    limits: PUBLIC_LIMITS,
    verify: (request, signal) => call('verify', request, signal, parseVerify),
    settle: (request, signal) => call('settle', request, signal, parseSettle),
    supported: (signal) => call('supported', undefined, signal, parseSupported),
  }
}

/** A date without the host's own to compare it with says nothing. */
const waitMsOf = ({ headers }: Response): number =>
  toHoldMs(headers.get('retry-after'), headers.get('date'), Number.NaN)

/** An x402 answer may come with 2xx or with 4xx, which some facilitators use for refusals; a 5xx is never an answer. */
function toReply<T>(status: number, text: string | undefined, parse: Parse<T>): MemberReply<T> {
  const json = text === undefined ? undefined : findJson(text)
  if (json !== undefined && ((status >= 200 && status < 300) || (status >= 400 && status < 500))) {
    try {
      return { kind: 'answer', answer: parse(json) }
    } catch {
      return faulty(faultOfReply(status, true), text)
    }
  }
  return faulty(faultOfReply(status, json !== undefined), text)
}

/** Undefined where the text is not a JSON object or array; nothing else can be an answer. */
function findJson(text: string): object | undefined {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? json : undefined
  } catch {
    return undefined
  }
}
