import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { IdentifyOperator } from '../../access/operator-check.ts'
import { showAddress } from '../../config/shown-address.ts'
import { describeError } from '../../core/describe-error.ts'
import type { Log } from '../../core/log.ts'
import { ServiceError } from '../../core/service-error.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import { type Reply, textReply } from '../reply.ts'
import type { Incoming } from '../request/incoming.ts'
import { BODY_LIMIT_BYTES, readBytes } from '../request/read-body.ts'
import type { Responder } from './responder.ts'

/** Whoever was passed a call on does not pass it on again: two that name each other would do so for ever. */
const PASSED_HEADER = 'X-Tollbook-Passed-On'

type Ports = {
  engines: readonly string[]
  /** Throws for whoever is not the operator. */
  identify: IdentifyOperator
  /** The address of a caller: an engine knows this process, and none of the proxies before it. */
  addressOf: (raw: IncomingMessage) => string
  log: Pick<Log, 'warn'>
}

/** The longest command waits half a minute for a list of markets. */
const ANSWER_WITHIN_MS = 60 * SECOND_MS
const REPLY_MAX_BYTES = 32 * 1024 * 1024

const SENT = ['authorization', 'content-type', 'accept', 'origin', 'host', 'idempotency-key', 'if-none-match']
const RETURNED = [
  ...['Content-Type', 'Cache-Control', 'Retry-After', 'WWW-Authenticate', 'Allow', 'ETag', 'Link', 'Vary'],
  ...['RateLimit', 'RateLimit-Policy'],
]

/**
 * Answers what only the engine can: the operator's calls. The key is looked at here, so that nobody else costs the engine
 * anything, and goes along: what it opens is checked there, where the audit is written too. It goes to the engine that is ready, which is the one that leads: one that stands by, starts or hangs is not.
 */
export function createPassOn({ engines, identify, addressOf, log }: Ports): Responder {
  return async (incoming) => {
    const { raw } = incoming
    if (raw.headers[PASSED_HEADER.toLowerCase()] !== undefined)
      throw noEngine('this process is no engine: correct TOLLBOOK_ENGINE_URLS')
    if (engines.length === 0)
      throw noEngine('this process serves no operator: set TOLLBOOK_ENGINE_URLS, or ask an engine itself')
    await identify(raw)
    const call = { ...toCall(incoming, addressOf(raw)), body: await readBytes(raw, BODY_LIMIT_BYTES) }
    const engine = await findReady(engines)
    if (engine === undefined) throw noEngine('no engine leads now, or none can be reached: nothing was done')
    return ask(engine, call, log)
  }
}

const READY_WITHIN_MS = SECOND_MS

/** All are asked at once; the first of the list that is. */
async function findReady(engines: readonly string[]): Promise<string | undefined> {
  const isReady = async (engine: string) => {
    const signal = AbortSignal.timeout(READY_WITHIN_MS)
    const reply = await fetch(new URL('/readyz', engine), { signal, redirect: 'manual' })
    await reply.body?.cancel()
    return reply.status === 200
  }
  const ready = await Promise.all(engines.map((engine) => isReady(engine).catch(() => false)))
  return engines.find((_, index) => ready[index])
}

type Call = { method: string; path: string; headers: Record<string, string>; body: Buffer }

function toCall({ raw, id, method }: Incoming, address: string): Omit<Call, 'body'> {
  const headers: Record<string, string> = {
    'X-Request-Id': id,
    'X-Forwarded-For': address,
    [PASSED_HEADER]: '1',
  }
  for (const name of SENT) {
    const value = raw.headers[name]
    if (typeof value === 'string') headers[name] = value
  }
  return { method, path: raw.url ?? '/', headers }
}

async function ask(engine: string, call: Call, log: Ports['log']): Promise<Reply> {
  let isSent = false
  try {
    const answer = await send(engine, call, () => {
      isSent = true
    })
    // A long reply comes over a network in pieces of a packet each.
    const body = readBytes(answer, REPLY_MAX_BYTES, Number.POSITIVE_INFINITY).finally(() => answer.destroy())
    return toReply(answer, await body)
  } catch (error) {
    log.warn({ engine: showAddress(engine), cause: describeError(error) }, 'an engine could not be asked')
    throw isSent && call.method === 'POST'
      ? noEngine(
          'the engine has not answered: look whether it has done what you asked for before you repeat it',
        )
      : noEngine('the engine has not answered: nothing was done')
  }
}

function send(engine: string, call: Call, onSent: () => void): Promise<IncomingMessage> {
  const { protocol, hostname, port } = new URL(engine)
  const request = protocol === 'https:' ? requestHttps : requestHttp
  const { method, path, body } = call
  const headers = { ...call.headers, ...(body.length > 0 && { 'Content-Length': String(body.length) }) }
  return new Promise((resolve, reject) => {
    // The host that the caller named: the engine is reached by another one.
    const to = { protocol, hostname: bare(hostname), servername: bare(hostname), port }
    const sent = request({ ...to, method, path, headers }, resolve)
    sent.setTimeout(ANSWER_WITHIN_MS, () => sent.destroy(new Error('it took too long')))
    sent.on('socket', (socket) => {
      if (socket.connecting) socket.once('connect', onSent)
      else onSent()
    })
    sent.on('upgrade', () => sent.destroy(new Error('it switched protocols')))
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Of an IPv6 address, which an address writes in brackets. */
const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

function toReply({ statusCode = 502, headers }: IncomingMessage, body: Buffer): Reply {
  const list = RETURNED.flatMap((name) => {
    const value = headers[name.toLowerCase() as keyof IncomingHttpHeaders]
    return typeof value === 'string' ? [name, value] : []
  })
  const policy = headers['content-security-policy']
  return {
    ...textReply(statusCode, body.toString('utf8'), list),
    ...(typeof policy === 'string' && { contentSecurityPolicy: policy }),
  }
}

const noEngine = (message: string) => new ServiceError('upstream_unavailable', message, { retryAfterS: 2 })
