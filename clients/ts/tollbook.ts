import { addressOf, checkBaseUrl } from './address.ts'
import { type BoundOptions, createBounds } from './bounds.ts'
import { aborted, type Call, elsewhere, type Step, signalOf } from './call.ts'
import type { Path, Reply } from './paths.ts'
import { present } from './present.ts'
import { type Bought, bodyOf, failureOf, readBought } from './reply.ts'
import { TollbookError } from './tollbook-error.ts'
import { fromBase64, type PaymentRequired, toBase64, type Wallet } from './x402.ts'

export { type DollarToken, USDC } from './bounds.ts'
export type { Step } from './call.ts'
export type * from './paths.ts'
export type { Bought } from './reply.ts'
export { type SignedIn, type SignInOptions, signIn } from './sign-in.ts'
export { type FailureKind, TollbookError } from './tollbook-error.ts'
export type { Offer, PaymentRequired, Settlement, Wallet } from './x402.ts'

export type TollbookOptions = BoundOptions & {
  /** Signs payments; its own spend controls apply too. Without it only free calls work. */
  wallet?: Wallet
  /** Of a holder, from `signIn`: sent as `Authorization: Bearer`, calls then count against the allowance. */
  token?: string
  fetch?: typeof fetch
  /** How long one payment is presented again before giving up, 90 s by default; no request is waited for any longer. */
  patienceMs?: number
  /** How long one request is waited for, 30 s by default. */
  requestMs?: number
  onStep?: (step: Step) => void
}

export type GetOptions = {
  /** Presents an earlier payment for the same request: its stored reply, or where it stands. Nothing is signed. */
  payment?: string
  /** The most that this call may cost, in dollars, instead of the client's. */
  maxPriceUsd?: number
  /** Of your own, 16 to 128 letters, digits, `-` and `_`: the service sells once under it, however often it is asked. */
  purchaseId?: string
  signal?: AbortSignal
}

export type Tollbook = {
  get<P extends Path>(path: P, options?: GetOptions): Promise<Bought<Reply<P>>>
}

/** Longer than the service takes to hand on what a process had at work that died: about a minute. */
const PATIENCE_MS = 90_000
/** The service waits 12 s for the chain at most. */
const REQUEST_MS = 30_000
const PAYMENT = /^[\w+/=-]+$/
const PURCHASE_ID = /^[\w-]{16,128}$/

/** Signs at most once per call: whatever is lost on the way, the same payment is presented again. */
export function createTollbook(options: TollbookOptions): Tollbook {
  const { baseUrl, wallet, token, patienceMs = PATIENCE_MS, requestMs = REQUEST_MS } = options
  const { onStep = () => {} } = options
  const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {}
  checkBaseUrl(baseUrl)
  const bounds = createBounds(options)
  return {
    async get(path, { payment, maxPriceUsd, purchaseId, signal } = {}) {
      const call: Call = { send: options.fetch ?? fetch, headers, requestMs, patienceMs, signal, onStep }
      const url = addressOf(baseUrl, path)
      refuseMalformed('payment', payment, PAYMENT)
      refuseMalformed('purchaseId', purchaseId, PURCHASE_ID)
      if (payment !== undefined) return present(call, url, payment)
      const first = await ask(call, url)
      if (first.status !== 402) return readUnpaid(call, first)
      const paidUrl = first.url || url
      const terms = await readTerms(first)
      onStep({ step: 'challenge', paymentRequired: terms })
      const allowed = bounds.allow(terms, paidUrl, maxPriceUsd)
      if (!wallet) throw unpayable('this call must be paid for and no wallet was given', terms)
      const header = toBase64(named(await sign(call, wallet, allowed), purchaseId))
      onStep({ step: 'payment', header })
      return present(call, paidUrl, header)
    },
  }
}

function refuseMalformed(name: string, text: string | undefined, form: RegExp): void {
  if (text !== undefined && !form.test(text)) throw new TypeError(`${name} does not have the form ${form}`)
}

/** The call before anything is signed. What another origin asks for is not paid. */
async function ask(call: Call, url: string): Promise<Response> {
  const { headers, requestMs, patienceMs } = call
  const signal = signalOf(call, patienceMs)
  const reply = await call.send(url, { headers, signal }).catch((cause) => {
    if (call.signal?.aborted) throw aborted(call)
    const why =
      cause?.name === 'TimeoutError'
        ? `no answer within ${Math.min(requestMs, patienceMs) / 1000} s`
        : `nothing answers at ${url}`
    throw new TollbookError(`${why}; nothing was signed`, { kind: 'unreachable', cause })
  })
  if (reply.url && new URL(reply.url).origin !== new URL(url).origin)
    throw new TollbookError(elsewhere(reply.url), { kind: 'redirected', status: reply.status })
  return reply
}

async function readUnpaid<T>(call: Call, reply: Response): Promise<Bought<T>> {
  if (!reply.ok) throw await failureOf(reply)
  return readBought<T>(reply).catch((cause) => {
    if (call.signal?.aborted) throw aborted(call)
    const { status } = reply
    throw new TollbookError('the reply was cut off; nothing was signed', {
      kind: 'unreachable',
      status,
      cause,
    })
  })
}

const unpayable = (why: string, body: unknown) => new TollbookError(why, { kind: 'terms', status: 402, body })

async function readTerms(reply: Response): Promise<PaymentRequired> {
  const body = await bodyOf(reply)
  const terms = fromBase64(reply.headers.get('payment-required') ?? '') as PaymentRequired | undefined
  const isReadable =
    terms?.x402Version === 2 && typeof terms.resource?.url === 'string' && Array.isArray(terms.accepts)
  if (!isReadable) throw unpayable('this 402 does not say how to pay, as x402 version 2 has it', body)
  return terms
}

/** What the wallet throws is the caller's to see. Once they have aborted, what it still signs is sent nowhere. */
async function sign(call: Call, wallet: Wallet, terms: PaymentRequired): Promise<object> {
  const { signal } = call
  if (!signal) return wallet.createPaymentPayload(terms)
  if (signal.aborted) throw aborted(call)
  let stop = () => {}
  const end = new Promise<never>((_, reject) => {
    stop = () => reject(aborted(call))
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([end, wallet.createPaymentPayload(terms)])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** The x402 extension `payment-identifier`. No signature covers it, so it is added afterwards. */
function named(payload: object, id: string | undefined): object {
  if (id === undefined) return payload
  const { extensions } = payload as { extensions?: object }
  return { ...payload, extensions: { ...extensions, 'payment-identifier': { info: { id } } } }
}
