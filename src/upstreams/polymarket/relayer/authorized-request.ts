import type { z } from 'zod'
import { limitsOf } from '../../../config/providers.ts'
import { describeError } from '../../../core/describe-error.ts'
import type { Secret } from '../../../core/secret.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { fetchNamed } from '../../rules/fetch-named.ts'
import { createPacer } from '../../rules/pacer.ts'
import { BadReply, readJson } from '../../rules/read-json.ts'
import { isClearRefusal } from '../clear-refusal.ts'
import { redactorOf } from '../redactor.ts'
import { WireRefusal } from './wire.ts'

/** A relayer key and the address that it was made for. */
export type RelayerKey = { apiKey: Secret; address: string }

/**
 * What became of a request that is sent once. `refused`: the relayer did not take it. `unsent`: it never left.
 * `unknown`: it left, and nothing certain came back.
 */
export type SentOnce<T> =
  | {
      outcome: 'answered'
      value: T
      /** When by the relayer's clock; undefined where it does not say. */
      atMs: number | undefined
    }
  | { outcome: 'refused' | 'unsent' | 'unknown'; reason: string }

export type AuthorizedRequests = {
  send<Wire extends z.ZodType>(
    method: 'GET' | 'POST',
    path: string,
    schema: Wire,
    body?: object,
  ): Promise<SentOnce<z.output<Wire>>>
  close(): void
}

const TIMEOUT_MS = 15_000
const MAX_REPLY_BYTES = 1024 * 1024
const MAX_REASON_CHARS = 200

type Input = { baseUrl: string; key: RelayerKey; clock: Clock }

/** Requests with our key. None is repeated: the same batch sent twice could be taken twice. */
export function createAuthorizedRequests({ baseUrl, key, clock }: Input): AuthorizedRequests {
  const pacer = createPacer({ clock, limits: limitsOf('relayer') })
  const redact = redactorOf(() => [key.apiKey.reveal()])
  const base = baseUrl.replace(/\/$/, '')
  return {
    async send(method, path, schema, body) {
      const leave = await pacer.enter(path).catch((error: unknown) => describeError(error))
      if (typeof leave === 'string') return { outcome: 'unsent', reason: leave }
      const late = new AbortController()
      const cancel = clock.after(TIMEOUT_MS, () => late.abort(new Error(`no reply in ${TIMEOUT_MS} ms`)))
      try {
        const reply = await fetchNamed(new URL(base + path), {
          method,
          redirect: 'manual',
          signal: late.signal,
          headers: {
            accept: 'application/json',
            'user-agent': 'tollbook',
            RELAYER_API_KEY: key.apiKey.reveal(),
            RELAYER_API_KEY_ADDRESS: key.address,
            ...(body && { 'content-type': 'application/json' }),
          },
          ...(body && { body: JSON.stringify(body) }),
        })
        return await judge(reply, schema, redact)
      } catch (error) {
        return { outcome: 'unknown', reason: redact(describeError(error)) }
      } finally {
        cancel()
        leave()
      }
    },
    close: pacer.close,
  }
}

async function judge<Wire extends z.ZodType>(
  reply: Response,
  schema: Wire,
  redact: (text: string) => string,
): Promise<SentOnce<z.output<Wire>>> {
  const json = await readJson(reply, MAX_REPLY_BYTES).catch((error: unknown) => {
    if (error instanceof BadReply) return undefined
    throw error
  })
  if (isClearRefusal(reply.status)) {
    const said = redact(WireRefusal.safeParse(json).data?.error ?? 'without a reason')
    return { outcome: 'refused', reason: `${reply.status}: ${said.slice(0, MAX_REASON_CHARS)}` }
  }
  const parsed = reply.ok ? schema.safeParse(json) : undefined
  if (parsed?.success) return { outcome: 'answered', value: parsed.data, atMs: findDate(reply) }
  return { outcome: 'unknown', reason: `an answer ${reply.status} that is not understood` }
}

function findDate({ headers }: Response): number | undefined {
  const atMs = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(atMs) ? undefined : atMs
}
