// Buying with a signed x402 payment. The one rule: while the outcome of a payment is unknown only that payment is
// presented, never a second one.
import { REFUSALS } from '../facts.js'
import { randomHex } from '../hex.js'
import { isOwnReply } from '../own-reply.js'
import { parseObject, problemOf } from '../problem.js'
import { fromHeader, toHeader } from './payment-header.js'

/**
 * How a payment ended. `text` is the reply as it was sent; `problem` is a sentence for people.
 * @typedef {{ kind: 'paid', text: string, settlement: Settlement }
 *   | { kind: 'refused', problem: string, isCharged: false | undefined }
 *   | { kind: 'used', problem: string }
 *   | { kind: 'answered', problem: string, isCharged: false | undefined }
 *   | { kind: 'undecided' }} Outcome
 * @typedef {{ transaction?: string, network?: string, receiptId?: string }} Settlement
 */

// The service answers within some 12 s; proxies may take longer before they give up.
const FETCH_LIMIT_MS = 60_000
const TRIES_LIMIT = 40
// Later ones wait longer than they are told to: what a process has left that died is taken up after a minute.
const QUICK_TRIES = 10
const WAIT_S = 3
const WAIT_LIMIT_S = 60
const ID_BYTES = 16

/**
 * Play money: the service makes a wallet, which signs and is forgotten. Returns the payment.
 * @param {string} path of `sandbox.payment`
 * @returns {Promise<string>}
 */
export async function signByService(path, required) {
  const reply = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ payment_required: toHeader(required) }),
    signal: AbortSignal.timeout(FETCH_LIMIT_MS),
  })
  const body = parseObject(await reply.text())
  if (!body.payment_signature) throw new Error(problemOf(reply.status, body))
  return body.payment_signature
}

/**
 * The payment to present: one that is kept for the same address before a new one, so that nobody pays twice for one wish.
 * Undefined where nothing was signed.
 * @param {ReturnType<typeof import('./kept-payments.js').openKeptPayments>} kept
 * @param {() => Promise<string | undefined>} sign
 * @param {import('./kept-payments.js').Kept} [replaced] bought before, and to be bought again
 */
export async function paymentFor(kept, sign, replaced) {
  const findOther = () => {
    const next = kept.next()
    return next && next.id !== replaced?.id ? { payment: next, isUnsent: false } : undefined
  }
  const before = findOther()
  if (before) return before
  const header = await sign()
  if (!header) return undefined
  // Of another tab, while the wallet was open.
  const meanwhile = findOther()
  if (meanwhile) return meanwhile
  const payment = { id: randomHex(ID_BYTES), header, isPaid: false }
  kept.keep(payment)
  return { payment, isUnsent: true }
}

/**
 * The address at which a payment that is kept is found again: a free call would show a reply and no page.
 * @param {string} address
 */
export function withoutFreeCall(address) {
  const url = new URL(address, location.href)
  url.searchParams.set('demo', '0')
  return url.pathname + url.search
}

/**
 * Presents a payment until its outcome is known, or for forty tries.
 * @param {string} address what is bought
 * @param {string} header the payment
 * @param {{ say: (text: string) => void, note: (text: string) => void, isUnsent?: boolean }} options `say` is read
 *   aloud, `note` is only shown: forty tries must not be forty speeches; `isUnsent`: signed just now, nobody has seen it
 * @returns {Promise<Outcome>}
 */
export async function present(address, header, { say, note, isUnsent = false }) {
  let isUnanswered = !isUnsent
  say('Paying, and fetching your reply…')
  for (let tries = 1; tries <= TRIES_LIMIT; tries++) {
    const answer = await ask(address, header)
    const outcome = outcomeOf(answer, isUnanswered)
    if (outcome) return outcome
    isUnanswered ||= !isOver(answer)
    const { problem } = answer
    const waitS = tries > QUICK_TRIES ? Math.max(answer.waitS, WAIT_S) : answer.waitS
    say('Not decided yet. The same payment is sent until it is; you are charged once at most.')
    note(`${problem} It is sent again in ${waitS} s.`)
    await new Promise((resume) => setTimeout(resume, waitS * 1000))
    note('')
  }
  return { kind: 'undecided' }
}

/**
 * @typedef {{ status: number, text: string, json: any, settlement: string | null, isOwn: boolean }} Reply
 * @typedef {Reply & { problem: string, waitS: number }} Answer
 */

/** @type {Reply} */
const NO_REPLY = { status: 0, text: '', json: {}, settlement: null, isOwn: false }

/**
 * A body that breaks off is as undecided as no answer at all.
 * @returns {Promise<Answer>}
 */
async function ask(address, header) {
  try {
    const reply = await fetch(address, {
      // Without the payment, which a proxy may strip, nothing shall come of it: no free call either.
      headers: { Accept: 'application/json', 'PAYMENT-SIGNATURE': header, 'X-Demo': 'off' },
      cache: 'no-store',
      signal: AbortSignal.timeout(FETCH_LIMIT_MS),
    })
    const { status, headers } = reply
    const text = await reply.text()
    const json = parseObject(text)
    const waitS = Math.min(Math.max(Number(headers.get('Retry-After')) || WAIT_S, 1), WAIT_LIMIT_S)
    const settlement = headers.get('PAYMENT-RESPONSE')
    const isOwn = isOwnReply(reply)
    return { status, text, json, settlement, isOwn, problem: problemOf(status, withoutHint(json)), waitS }
  } catch {
    return { ...NO_REPLY, problem: 'The connection was lost.', waitS: WAIT_S }
  }
}

// It says when to try again, and this page does that by itself.
const withoutHint = ({ title, detail }) => ({ title, detail })

/**
 * Undefined while nothing is decided. A 200 without settlement is somebody else's, such as a hotel's login page; a 402
 * that asks for a payment has not seen ours, which may still be under way; one of a gateway, such as of a plan that is
 * used up, says nothing about it. Any other 4xx will not change by asking.
 * @param {Answer} answer
 * @param {boolean} isUnanswered whether it is not known what came of an earlier try
 * @returns {Outcome | undefined}
 */
function outcomeOf({ status, text, json, settlement, isOwn, problem }, isUnanswered) {
  if (status === 200 && settlement) return { kind: 'paid', text, settlement: settlementOf(settlement) }
  // Ours, and what tells how it was paid is gone: asking again would not bring it.
  if (status === 200 && isOwn)
    return {
      kind: 'answered',
      problem: 'The reply came without word of its payment; something between us has removed it.',
      isCharged: undefined,
    }
  if (status === 402) return isOwn ? refusalOf(json.error, isUnanswered) : undefined
  if (isOwn && json.code === 'payment_already_used') return { kind: 'used', problem }
  if (!isFinal(status, json)) return undefined
  // The service charges nothing for these; but before it somebody else may have taken an earlier try for it.
  return { kind: 'answered', problem, isCharged: isOwn && !isUnanswered ? false : undefined }
}

const LATER = [408, 425, 429]

function isFinal(status, { code }) {
  return status >= 400 && status < 500 && !LATER.includes(status) && code !== 'payment_in_progress'
}

// The chain can no longer execute it, whatever came of earlier tries.
const VOID = 'payment_void'

/** @returns {Outcome | undefined} */
function refusalOf(error, isUnanswered) {
  if (error === 'payment_required' || !Object.hasOwn(REFUSALS, error)) return undefined
  const why = REFUSALS[error]
  return isUnanswered && error !== VOID
    ? { kind: 'refused', problem: `Refused: ${why}.`, isCharged: undefined }
    : { kind: 'refused', problem: `Refused and not charged: ${why}.`, isCharged: false }
}

const UNDER_WAY = ['payment_in_progress', 'payment_pending', 'store_unavailable']

/** Whether the service has said of this try that nothing more comes of it. */
const isOver = ({ isOwn, json }) =>
  isOwn && json.error !== 'payment_required' && !UNDER_WAY.includes(json.code)

/**
 * The receipt is a JWS; its payload names the purchase, and that is where it can be seen again.
 * @param {string} header PAYMENT-RESPONSE
 * @returns {Settlement}
 */
export function settlementOf(header) {
  const { transaction, network, extensions } = fromHeader(header)
  const jws = String(Object(extensions?.['offer-receipt']?.info?.receipt).signature ?? '')
  const { id } = fromHeader(jws.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/'))
  return { transaction, network, receiptId: id }
}
