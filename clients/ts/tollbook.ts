import type { Paths } from './paths.ts'

/** What a call brought back: the data, and how it was paid for (undefined for a free call). */
export type Bought<T> = { data: T; settlement: Settlement | undefined; contentDigest: string | undefined }
export type Settlement = {
  success: boolean
  transaction: string
  network: string
  payer?: string
  amount?: string
  extensions?: Record<string, unknown>
}

/** The terms of a 402. What else stands in it is passed on to the wallet too. */
export type PaymentRequired = {
  x402Version: number
  resource: { url: string }
  accepts: {
    scheme: string
    network: `${string}:${string}`
    asset: string
    amount: string
    payTo: string
    maxTimeoutSeconds: number
    extra: Record<string, unknown>
  }[]
}

/** Any `x402Client` of @x402/fetch or @x402/core. Described by what is used of it, so that no version of them is imposed. */
export type Wallet = { createPaymentPayload(paymentRequired: PaymentRequired): Promise<object> }

/** What happens on the way, for those who want to show it. */
export type Step =
  | { step: 'challenge'; paymentRequired: PaymentRequired }
  | { step: 'payment'; header: string }
  | { step: 'retry'; status: number | undefined; reason: string | undefined; afterMs: number }
  | { step: 'settled'; settlement: Settlement }

export type TollbookOptions = {
  baseUrl: string
  /** Signs payments; its spend controls apply. Without it only free calls work. */
  wallet?: Wallet
  fetch?: typeof fetch
  /** How long one payment is presented again before giving up; no request is waited for any longer. */
  patienceMs?: number
  onStep?: (step: Step) => void
}

export class TollbookError extends Error {
  readonly status: number
  readonly body: unknown
  /** The payment that may still settle: present it again, do not sign another. */
  readonly payment: string | undefined
  constructor(message: string, status: number, body: unknown, payment?: string) {
    super(message)
    this.name = 'TollbookError'
    this.status = status
    this.body = body
    this.payment = payment
  }
}

export type Tollbook = {
  /** `payment` presents an earlier payment for the same request: its stored reply, or where it stands. */
  get<P extends keyof Paths>(path: P, options?: { payment?: string }): Promise<Bought<Paths[P]>>
}

const PATIENCE_MS = 60_000
/** The service waits 12 s for the chain at most. */
const REQUEST_MS = 30_000
const MIN_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 60_000
const MAX_REDIRECTS = 3
const UNDECIDED = new Set([409, 429, 500, 502, 503, 504])

/** Signs at most once per call: whatever is lost on the way, the same payment is presented again. */
export function createTollbook(options: TollbookOptions): Tollbook {
  const { baseUrl, wallet } = options
  return {
    async get(path, { payment } = {}) {
      const url = new URL(path, baseUrl).href
      if (payment) return present(options, url, payment)
      const first = await ask(options, url)
      if (first.status !== 402) return read(first, undefined)
      if (!wallet)
        throw new TollbookError(
          'this call must be paid for and no wallet was given',
          402,
          await bodyOf(first),
        )
      return present(options, first.url || url, await sign(options, wallet, first))
    },
  }
}

/** The call before anything is signed. What another origin asks for is not paid. */
async function ask({ fetch: send = fetch, patienceMs = PATIENCE_MS }: TollbookOptions, url: string) {
  const limitMs = Math.min(REQUEST_MS, patienceMs)
  const reply = await send(url, { signal: AbortSignal.timeout(limitMs) }).catch((error) => {
    if (error?.name !== 'TimeoutError') throw error
    throw new TollbookError(`no answer within ${limitMs / 1000} s; nothing was signed`, 0, undefined)
  })
  if (reply.url && new URL(reply.url).origin !== new URL(url).origin)
    throw new TollbookError(elsewhere(reply.url), reply.status, undefined)
  return reply
}

const elsewhere = (url: string) =>
  `redirected to another origin, which no payment is sent to: ${new URL(url).origin}; if you trust it, make it the baseUrl`

async function sign({ onStep }: TollbookOptions, wallet: Wallet, reply: Response): Promise<string> {
  const terms = reply.headers.get('payment-required')
  const body = await bodyOf(reply)
  if (!terms) throw new TollbookError('this 402 does not say how to pay', 402, body)
  const paymentRequired = fromBase64(terms) as PaymentRequired
  onStep?.({ step: 'challenge', paymentRequired })
  const header = toBase64(await wallet.createPaymentPayload(paymentRequired))
  onStep?.({ step: 'payment', header })
  return header
}

async function present<T>(options: TollbookOptions, url: string, payment: string): Promise<Bought<T>> {
  const { patienceMs = PATIENCE_MS, onStep } = options
  const untilMs = Date.now() + patienceMs
  for (;;) {
    const reply = await sendPaid(options, url, payment, untilMs)
    if (reply?.ok) {
      const bought = await read<T>(reply, payment).catch(() => undefined)
      if (bought) {
        if (bought.settlement) onStep?.({ step: 'settled', settlement: bought.settlement })
        return bought
      }
    } else if (reply && !isUndecided(reply)) return read(reply, payment)
    const afterMs = pauseOf(reply)
    const body: unknown = reply?.bodyUsed ? undefined : reply && (await bodyOf(reply))
    const reason = reasonOf(body)
    if (Date.now() + afterMs > untilMs) throw undecided(reply?.status, body, payment)
    onStep?.({ step: 'retry', status: reply?.status, reason, afterMs })
    await new Promise((resolve) => setTimeout(resolve, afterMs))
  }
}

/** Follows redirects by hand and within the origin: `fetch` would take the payment along to any other. */
async function sendPaid(
  { fetch: send = fetch }: TollbookOptions,
  url: string,
  payment: string,
  untilMs: number,
): Promise<Response | undefined> {
  let at = url
  for (let redirects = 0; ; redirects++) {
    const limitMs = Math.max(1, Math.min(REQUEST_MS, untilMs - Date.now()))
    const reply = await send(at, {
      headers: { 'PAYMENT-SIGNATURE': payment },
      redirect: 'manual',
      signal: AbortSignal.timeout(limitMs),
    }).catch(() => undefined)
    if (!reply || !isRedirect(reply)) return reply
    // A browser does not tell where to.
    const to = new URL(reply.headers.get('location') ?? '', at)
    if (reply.type === 'opaqueredirect' || redirects === MAX_REDIRECTS)
      throw new TollbookError(
        'redirected with a payment: ask for the final address',
        reply.status,
        undefined,
        payment,
      )
    if (to.origin !== new URL(at).origin)
      throw new TollbookError(elsewhere(to.href), reply.status, undefined, payment)
    at = to.href
  }
}

const isRedirect = ({ type, status }: Response) =>
  type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304)

/** 409 means under way only while the service asks to come again; a used payment is 409 for good. */
function isUndecided(reply: Response): boolean {
  if (reply.status === 409) return reply.headers.has('retry-after')
  return UNDECIDED.has(reply.status)
}

function pauseOf(reply: Response | undefined): number {
  const seconds = Number(reply?.headers.get('retry-after') ?? Number.NaN)
  return Number.isNaN(seconds) ? MIN_PAUSE_MS : Math.min(Math.max(seconds * 1000, MIN_PAUSE_MS), MAX_PAUSE_MS)
}

/** Undefined where it is no JSON, as a proxy's own pages, or was cut off. */
const bodyOf = (reply: Response): Promise<unknown> => reply.json().catch(() => undefined)

const reasonOf = (body: unknown) => (body as { detail?: string } | undefined)?.detail

function undecided(status = 0, body: unknown, payment: string): TollbookError {
  const reason = reasonOf(body) ?? 'no answer'
  const next = 'present the same payment again with get(path, { payment }), do not sign another'
  return new TollbookError(`${reason}; the payment is not decided yet: ${next}`, status, body, payment)
}

async function read<T>(reply: Response, payment: string | undefined): Promise<Bought<T>> {
  if (!reply.ok) {
    const body = await bodyOf(reply)
    throw new TollbookError(messageOf(body), reply.status, body, reply.status === 402 ? undefined : payment)
  }
  const body = await reply.json()
  const encoded = reply.headers.get('payment-response')
  return {
    data: body as T,
    settlement: encoded ? (fromBase64(encoded) as Settlement) : undefined,
    contentDigest: reply.headers.get('content-digest') ?? undefined,
  }
}

type Failure = {
  error?: string
  detail?: string | { loc: (string | number)[]; msg: string }[]
  hint?: string
}

/** In plain words, whichever of the service's three forms it has. */
function messageOf(body: unknown): string {
  const { error, detail, hint } = (body ?? {}) as Failure
  const issues = Array.isArray(detail)
    ? detail.map(({ loc, msg }) => `${loc.at(-1)}: ${msg}`).join('; ')
    : detail
  return [error ?? issues ?? 'refused without a reason', hint].filter(Boolean).join('; ')
}

/** As x402 headers carry JSON: base64 of UTF-8, in browsers too. */
function toBase64(value: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

function fromBase64(text: string): unknown {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  return JSON.parse(new TextDecoder().decode(bytes))
}
