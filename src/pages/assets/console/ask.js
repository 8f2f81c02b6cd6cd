// Asks the routes that the console uses. The key lives in this file's memory and nowhere else: not in storage, not in
// an address, not in an element; it goes with the page.
import { randomHex } from '../hex.js'
import { isOwnReply } from '../own-reply.js'
import { detailOf, problemOf, sentence } from '../problem.js'

/** @typedef {{ method: string, path: string, paramsIn: 'query' | 'body', scope?: string }} Route */

/** @type {Record<string, Route>} */
const routes = JSON.parse(document.getElementById('routes').textContent)

const READ_LIMIT_MS = 30_000
// A backup of a large ledger takes its time.
const ACT_LIMIT_MS = 120_000
const ID_BYTES = 8

/** @type {string | undefined} */
let key
const pageMode = document.getElementById('console').dataset.mode ?? ''
// As replies say; a proxy may take it away.
let mode = pageMode
/** @type {Set<string>} */
let scopes = new Set()

/** What went wrong, in words for the operator. */
class Failure extends Error {
  /** @param {string} message @param {{ status?: number, requestId?: string }} facts */
  constructor(message, { status = 0, requestId = '' } = {}) {
    super(message)
    this.status = status
    this.requestId = requestId
  }
}

export const isSignedIn = () => key !== undefined
/** @param {string} id */
export const scopeOf = (id) => routes[id].scope
/** @param {string} id */
export const mayAsk = (id) => routes[id].scope === undefined || scopes.has(routes[id].scope)
/** The mode of the service, which every reply names. */
export const modeNow = () => mode

const SIMULATED = ['sandbox', 'paper']
/** Only where page and replies agree; in any other mode, and where it is not known, money is real. */
export const isSimulated = () => [pageMode, mode].every((each) => SIMULATED.includes(each))

/** Resolves once the key is good and it is known what it opens. */
export async function signIn(given) {
  key = given
  try {
    // One after the other: a wrong key must count as one guess.
    scopes = new Set()
    for (const id of ['admin.dashboard', 'trade.balance']) if (await isOpen(id)) scopes.add(routes[id].scope)
  } catch (error) {
    key = undefined
    throw error
  }
}

export function forgetKey() {
  key = undefined
  scopes = new Set()
}

/** The scope is checked before anything else, so any other answer than 403 means that the key has it. */
async function isOpen(id) {
  try {
    await ask(id)
    return true
  } catch (error) {
    if (error.status === 403) return false
    if (id === 'trade.balance' && error.status >= 500) return true
    throw error
  }
}

/**
 * The reply and its request id, or a `Failure`. An id of our own can be looked up in the audit also where the answer
 * was lost.
 * @param {string} id @param {Record<string, unknown>} [params] @param {AbortSignal} [signal]
 * @returns {Promise<{ body: any, requestId: string }>}
 */
export async function ask(id, params = {}, signal = undefined) {
  const { method, path, paramsIn } = routes[id]
  const requestId = newId()
  const isBody = paramsIn === 'body'
  const url = new URL(path, location.origin)
  if (!isBody) for (const [name, value] of Object.entries(params)) url.searchParams.set(name, String(value))
  const limit = AbortSignal.timeout(method === 'POST' ? ACT_LIMIT_MS : READ_LIMIT_MS)
  const asked = key
  if (asked === undefined) throw new Failure(OWN_TEXTS[401], { status: 401, requestId })
  try {
    const reply = await fetch(url, {
      method,
      headers: {
        Accept: 'application/json',
        Authorization: `Bearer ${asked}`,
        'X-Request-Id': requestId,
        ...(isBody && { 'Content-Type': 'application/json' }),
      },
      body: isBody ? JSON.stringify(params) : undefined,
      mode: 'same-origin',
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
    return read(reply, await reply.text(), { method, requestId })
  } catch (error) {
    if (error instanceof Failure) {
      if (error.status === 401 && asked === key)
        document.dispatchEvent(new CustomEvent('refused', { detail: error.message }))
      throw error
    }
    throw lost(method, requestId)
  }
}

function read(reply, text, { method, requestId }) {
  mode = reply.headers.get('X-Tollbook-Mode') ?? mode
  const body = parsed(text)
  const isProblem = reply.headers.get('Content-Type')?.startsWith('application/problem+json')
  // The health check answers 503 with what is down: that is a reply.
  const isReply = body !== undefined && (reply.ok || (reply.status === 503 && method === 'GET' && !isProblem))
  if (isReply) return { body, requestId }
  // Not of the service: somebody in between gave up waiting, and what was asked for may have been done.
  const isOwn = isOwnReply(reply)
  // Nor is it known where the ledger failed: the venue may have taken the order before.
  const isUnknown = method === 'POST' && body?.code === 'store_unavailable'
  if ((reply.status >= 500 && !isOwn) || isUnknown) throw lost(method, requestId)
  throw new Failure(textOf(reply, body), { status: reply.status, requestId })
}

function lost(method, requestId) {
  return method === 'POST'
    ? new Failure(
        'The connection was lost before the reply came: it may have been done or not. Look before you do it again.',
        { requestId },
      )
    : new Failure('The service does not answer. What is shown may be old; it is asked again by itself.')
}

const OWN_TEXTS = {
  401: 'This key does not work: it is misspelt, was revoked, or its time is over. Enter another one.',
  503: 'The service cannot do this now, and nothing was changed',
}

function textOf({ status, headers }, body) {
  const detail = detailOf(body)
  if (status === 401) return OWN_TEXTS[401]
  if (status === 429) {
    const waitS = headers.get('Retry-After')
    return `${sentence(detail ?? 'Too many calls')} ${waitS ? `Try again in ${waitS} s.` : 'Try again in a minute.'}`
  }
  if (status === 503) return sentence(`${OWN_TEXTS[503]}: ${detail ?? 'try again in a minute'}`)
  return problemOf(status, { ...Object(body), title: undefined })
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const newId = () => `console-${randomHex(ID_BYTES)}`
