import { z } from 'zod'
import { toHoldMs } from '../../retry-after.ts'
import { TradingError, type TradingFault } from './trading-error.ts'

/** What the official client hands to its own `get`, `post` and `del`. */
export type ClientRequest = {
  headers?: Readonly<Record<string, string | number | boolean>>
  data?: unknown
  params?: Readonly<Record<string, unknown>>
}
export type Send = (url: string, request?: ClientRequest) => Promise<unknown>
export type Transport = Record<'get' | 'post' | 'del', Send>

export type TransportInput = {
  signal: AbortSignal
  /** Pages are requests too: a list that never ends is cut off here. */
  maxRequests: number
  nowMs: () => number
  /** Takes keys out of a text. */
  redact: (text: string) => string
}

const MAX_BYTES = 4 * 1024 * 1024
const MAX_WORDS = 300
const Words = z.object({ error: z.union([z.string(), z.object({}).loose()]) })

/** Carries the requests of one call to the official client: no redirects, bounded in number, size and time. */
export function createTransport(input: TransportInput): Transport {
  let left = input.maxRequests
  const via =
    (method: string): Send =>
    async (url, request = {}) => {
      if (left-- <= 0) throw new TradingError('refused', `the reply has more than ${input.maxRequests} pages`)
      const reply = await exchange(method, url, request, input)
      if (reply.status >= 200 && reply.status < 300) return reply.json
      throw toError(reply, input)
    }
  return { get: via('GET'), post: via('POST'), del: via('DELETE') }
}

type Reply = { status: number; json: unknown; retryAfter: string | null; date: string | null }

async function exchange(
  method: string,
  url: string,
  { headers, data, params }: ClientRequest,
  { signal, redact }: TransportInput,
): Promise<Reply> {
  const target = new URL(url)
  for (const [name, value] of Object.entries(params ?? {}))
    if (value !== undefined) target.searchParams.set(name, String(value))
  const texts = Object.entries(headers ?? {}).map(
    ([name, value]) => [name, String(value)] as [string, string],
  )
  try {
    const reply = await fetch(target, {
      method,
      headers: [...texts, ['content-type', 'application/json']],
      ...(data !== undefined && { body: JSON.stringify(data) }),
      redirect: 'manual',
      signal,
    })
    const json = toJson(await readText(reply))
    const { headers: told } = reply
    return { status: reply.status, json, retryAfter: told.get('retry-after'), date: told.get('date') }
  } catch (error) {
    if (error instanceof TradingError) throw error
    throw new TradingError('unknown', redact(`no answer: ${reasonOf(error)}`))
  }
}

const reasonOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).slice(0, MAX_WORDS)

async function readText(reply: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of reply.body ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) throw new TradingError('unknown', `the answer has more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const FAULTS: Readonly<Record<number, TradingFault>> = {
  401: 'unauthorized',
  403: 'unauthorized',
  404: 'not_found',
  425: 'restarting',
  429: 'limited',
}

function toError({ status, json, retryAfter, date }: Reply, { nowMs, redact }: TransportInput): TradingError {
  const words = Words.safeParse(json).data?.error ?? (typeof json === 'string' ? json : '')
  const text = redact((typeof words === 'string' ? words : JSON.stringify(words)).slice(0, MAX_WORDS))
  const isDisabled = status === 503 && text.includes('trading is disabled')
  const fault = isDisabled ? 'disabled' : (FAULTS[status] ?? (status < 500 ? 'refused' : 'unknown'))
  const isWaiting = retryAfter !== null && (fault === 'restarting' || fault === 'limited' || isDisabled)
  const waitMs = isWaiting ? toHoldMs(retryAfter, date, nowMs()) : undefined
  return new TradingError(fault, text === '' ? `status ${status}` : text, waitMs)
}
