import { createHash } from 'node:crypto'
import type { SignedPayment } from './wallet.ts'

/** What came back; undefined when the connection broke before all of it had. */
export type Answer = {
  status: number
  text: string
  /** Our own code of a problem document, or the reason of a 402. */
  reason: string | undefined
  mayRetry: boolean
}
/** Goods that somebody got for a payment: address, body and settlement, byte for byte. */
export type Sighting = { path: string; text: string; settlement: string }

/** The counter of the shop: everybody's requests pass here, so that nothing handed out goes unseen. */
export type Counter = {
  ask(path: string): Promise<Response | undefined>
  /** `at` is another address than the next one, `from` the one that the caller has. */
  present(
    path: string,
    payment: SignedPayment,
    how?: { leaveAfterMs?: number; at?: string; from?: string },
  ): Promise<Answer | undefined>
  /** By payment; goods that are the same in every byte are one. */
  sightings: ReadonlyMap<string, readonly Sighting[]>
  /** How often each status and reason was answered. */
  answers: ReadonlyMap<string, number>
  /** Answers that no client should ever get. */
  insults: readonly string[]
  /** When the goods for a payment were first handed out. */
  firstSeenMs: ReadonlyMap<string, number>
  /** Answers without goods to a payment. */
  denials: readonly { id: string; atMs: number }[]
}

export type CounterInput = {
  /** Where the next request goes. */
  baseUrl(): string
  /** Told how each presentation ended: status and reason, or the fault of the connection. */
  heard?(what: string): void
}

/** Longer than the service lets a caller wait. */
const ANSWER_LIMIT_MS = 20_000
const MAX_INSULTS = 100

export function createCounter({ baseUrl, heard }: CounterInput): Counter {
  const sightings = new Map<string, Sighting[]>()
  const answers = new Map<string, number>()
  const insults: string[] = []
  const firstSeenMs = new Map<string, number>()
  const denials: { id: string; atMs: number }[] = []
  const insult = (what: string) => {
    if (insults.length < MAX_INSULTS) insults.push(what)
  }
  const note = (id: string, sighting: Sighting) => {
    const seen = sightings.get(id) ?? []
    if (!seen.some((each) => isSame(each, sighting))) sightings.set(id, [...seen, sighting])
  }
  let calls = 0
  const send = async (url: string, headers: Record<string, string>, limitMs: number) =>
    fetch(url, {
      headers: { 'X-Forwarded-For': nextClient(calls++), ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(limitMs),
    })
  return {
    sightings,
    answers,
    insults,
    firstSeenMs,
    denials,
    // What is asked here is the price, never a free call.
    ask: (path) => send(`${baseUrl()}${path}`, { 'X-Demo': 'off' }, ANSWER_LIMIT_MS).catch(() => undefined),
    async present(path, payment, { leaveAfterMs = ANSWER_LIMIT_MS, at = baseUrl(), ...how } = {}) {
      const { id, header } = payment
      const from = how.from !== undefined && { 'X-Forwarded-For': how.from }
      try {
        const reply = await send(`${at}${path}`, { 'PAYMENT-SIGNATURE': header, ...from }, leaveAfterMs)
        const text = await reply.text()
        const answer = findAnswer(reply, text)
        if (!answer) {
          insult(`${reply.status} for ${path} is no JSON: ${text}`)
          return undefined
        }
        const name = `${answer.status} ${answer.reason ?? ''}`.trim()
        answers.set(name, (answers.get(name) ?? 0) + 1)
        heard?.(name)
        if (answer.status !== 200) denials.push({ id, atMs: Date.now() })
        if (answer.status === 200) {
          if (!firstSeenMs.has(id)) firstSeenMs.set(id, Date.now())
          const settlement = reply.headers.get('payment-response') ?? ''
          note(id, { path, text: answer.text, settlement })
          if (reply.headers.get('content-digest') !== digestOf(answer.text))
            insult(`a body that is not of its digest: ${id}`)
        }
        if (answer.status === 500) insult(`500 for ${path} with ${id}`)
        if (answer.status === 503 && !answer.mayRetry) insult(`503 without Retry-After for ${path}`)
        return answer
      } catch (error) {
        heard?.(faultOf(error))
        return undefined
      }
    },
  }
}

/** A buyer has one address, as far as others see; it is not that of any thief. */
export function homeOf({ id }: SignedPayment): string {
  const [a = 0, b = 0] = createHash('sha256')
    .update(id.split('/')[0] ?? '')
    .digest()
  return `172.16.${a}.${b}`
}

/** Every other call comes from another address: thieves are not to be stopped by what one client may get wrong. */
const nextClient = (call: number) => `10.${(call >> 16) & 255}.${(call >> 8) & 255}.${call & 255}`

/** ECONNREFUSED and the like; the name of the error where there is no code. */
function faultOf(error: unknown): string {
  const { cause, name } = error as { cause?: { code?: string }; name?: string }
  return cause?.code ?? name ?? 'unknown'
}

function findAnswer({ status, headers }: Response, text: string): Answer | undefined {
  const mayRetry = headers.has('retry-after')
  if (status === 200) return { status, text, mayRetry, reason: undefined }
  try {
    const { code, error } = JSON.parse(text) as { code?: string; error?: string }
    return { status, text, mayRetry, reason: code ?? error }
  } catch {
    return undefined
  }
}

function isSame(one: Sighting, other: Sighting): boolean {
  return one.path === other.path && one.text === other.text && one.settlement === other.settlement
}

function digestOf(text: string): string {
  return `sha-256=:${createHash('sha256').update(text).digest('base64')}:`
}
