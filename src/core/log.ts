import { pino } from 'pino'
import type { SignInCause } from './sign-in-cause.ts'

export type Log = {
  /** One line per request. None of its fields can hold a secret, so nothing is redacted. */
  request(facts: RequestFacts): void
  /** One line per payment once the chain has decided; nothing is redacted here either. */
  payment(facts: PaymentFacts): void
  debug(facts: object, text: string): void
  info(facts: object, text: string): void
  warn(facts: object, text: string): void
  error(facts: object, text: string): void
}
export type RequestFacts = {
  id: string
  method: string
  /** Without the query, which may be private, and with long parts shortened. */
  path: string
  /** Id of the endpoint; undefined where the address leads to none. */
  product: string | undefined
  /** How the call was let in, or that it was asked to pay; undefined where it failed otherwise. */
  via: CallVia | undefined
  /** Who paid, shortened. */
  payer: string | undefined
  /** Equal for calls of one client while the process lives; tells no address. */
  client: string
  status: number
  /**
   * Why it failed, or why its payment was refused: a word of a fixed list. Undefined where neither, or where the params
   * were not understood.
   */
  code: string | undefined
  /** Why a wallet was not let in, which the caller is not told. */
  cause?: SignInCause | undefined
  /** Who signed in or proved to be a wallet, or claimed so where there is a cause; shortened. */
  wallet?: string | undefined
  ms: number
  /** Of the trace that it is in; undefined where it is in none. */
  trace_id?: string | undefined
}
/** `replay`: a reply that was paid for before; `unpaid`: asked to pay; `refused`: paid in a way that is not good. */
export type CallVia = 'free' | 'operator' | 'holder' | 'demo' | 'paid' | 'replay' | 'unpaid' | 'refused'
/** The transaction tells the rest, on the public chain; key and id of a payment are the buyer's own. */
export type PaymentFacts = {
  /** Shortened. */
  payer: string
  product: string
  state: string | undefined
  tx: string | undefined
}
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Headers and fields that may hold money or credentials; they print as `[secret]`. */
const REDACTED = [
  'authorization',
  'cookie',
  'private_key',
  'privateKey',
  'secret',
  'secret_key',
  'secretKey',
  'token',
  '["payment-signature"]',
  '["x-payment"]',
  '["sign-in-with-x"]',
]

const BUFFER_BYTES = 8_192
/** Beyond it lines are dropped. */
const WAITING_BYTES = 8 * 1024 * 1024
const FLUSH_LIMIT_MS = 1_000

/** Logs go to stderr, so that stdout carries nothing but the readiness line. `flush` writes what is buffered. */
export function createLog({
  level,
  fd = 2,
}: {
  level: LogLevel
  fd?: number
}): Log & { flush(): Promise<void> } {
  const destination = pino.destination({
    ...{ dest: fd, sync: false, minLength: BUFFER_BYTES, periodicFlush: 250 },
    maxLength: WAITING_BYTES,
  })
  // Lines are lost where nobody takes them, such as a disk that is full. The service is not.
  destination.on('error', () => {})
  // Called at exit, it would try for ever there; what is to be kept is flushed before.
  destination.flushSync = () => {}
  const options = {
    level,
    base: null,
    timestamp: createTimestamp(),
    formatters: { level: (label: string) => ({ level: label }) },
  }
  const logger = pino(
    { ...options, redact: { paths: REDACTED.flatMap(nested), censor: '[secret]' } },
    destination,
  )
  const plain = pino(options, destination)
  return {
    request: (facts) => plain.info(facts, 'request'),
    payment: (facts) => plain.info(facts, 'the chain decided a payment'),
    debug: (facts, text) => logger.debug(facts, text),
    info: (facts, text) => logger.info(facts, text),
    warn: (facts, text) => logger.warn(facts, text),
    error: (facts, text) => logger.error(facts, text),
    flush: () => flush(destination),
  }
}

/** Not the synchronous way, which tries for ever where the reader of the log is gone. */
function flush(destination: ReturnType<typeof pino.destination>): Promise<void> {
  return new Promise((resolve) => {
    destination.once('error', () => resolve())
    destination.flush(() => resolve())
    setTimeout(resolve, FLUSH_LIMIT_MS).unref()
  })
}

/** ISO time as pino wants it; lines of the same millisecond share the text. */
function createTimestamp(): () => string {
  let atMs = 0
  let text = ''
  return () => {
    const nowMs = Date.now()
    if (nowMs !== atMs) {
      atMs = nowMs
      text = `,"time":"${new Date(nowMs).toISOString()}"`
    }
    return text
  }
}

const nested = (path: string) => (path.startsWith('[') ? [path, `*${path}`] : [path, `*.${path}`])

export const silentLog: Log = { request() {}, payment() {}, debug() {}, info() {}, warn() {}, error() {} }
