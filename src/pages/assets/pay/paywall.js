// The page of a 402: gets the reply by a free call, or pays for it once and keeps the payment until the buyer is done.
import { createAlone } from '../alone.js'
import { askVisitor } from '../ask-visitor.js'
import { REPLY_KEPT_HOURS } from '../facts.js'
import { isOwnReply } from '../own-reply.js'
import { parseObject, problemOf } from '../problem.js'
import { createSay } from '../say.js'
import { openKeptPayments } from './kept-payments.js'
import { paymentFor, present, signByService, withoutFreeCall } from './purchase.js'
import { showReply } from './reply-box.js'
import { signPayment, walletFault } from './wallet.js'
import { createWalletPicker } from './wallet-picker.js'

/** @typedef {import('./kept-payments.js').Kept} Kept */

/** @returns {any} */
const byId = (id) => document.getElementById(id)
const { required, receipts, explorer, price, servedAtMs } = parseObject(byId('terms').textContent)
const kept = openKeptPayments(required.resource.url)
const address = location.href.split('#')[0]
// How far the visitor's clock is behind that of the service.
const behindMs = servedAtMs - Date.now()

/** @type {Record<string, HTMLElement | null>} */
const part = Object.fromEntries(['offers', 'waiting', 'paid', 'stuck', 'result'].map((id) => [id, byId(id)]))

const say = createSay(byId('status'))
const note = (text) => {
  byId('progress').textContent = text
}
const alone = createAlone(() => document.querySelectorAll('#get .button, #get button:not(#cancel, .copy)'))

const WAYS = {
  play: () => {
    say('A throw-away wallet is made and signs…')
    return signByService(byId('play').dataset.path, required)
  },
  pay: () => untilCancelled(signPayment(chosenWallet(), { required, nowMs: Date.now() + behindMs, say })),
}
const ways = Object.keys(WAYS).filter((id) => byId(id))
const chosenWallet = ways.length > 0 ? createWalletPicker() : () => undefined

// A wallet may never answer. What it signs after the visitor has given up is presented to nobody.
async function untilCancelled(answer) {
  part.waiting.hidden = false
  try {
    return await Promise.race([answer, cancelled()])
  } finally {
    part.waiting.hidden = true
  }
}

const cancelled = () =>
  new Promise((_, reject) => {
    const press = () => reject(new Error('Cancelled. Close the request in your wallet too.'))
    byId('cancel').addEventListener('click', press, { once: true })
  })

/** @param {'offers' | 'paid' | 'stuck'} name what fits the state */
function offer(name) {
  for (const id of ['offers', 'paid', 'stuck']) part[id].hidden = id !== name
}

/** @type {Kept | undefined} */
let current

async function pay(way) {
  const replaced = current
  const made = await paymentFor(kept, () => signed(way), replaced)
  if (!made) return
  const { payment, isUnsent } = made
  // A reload asks here, also when free calls have come back meanwhile.
  history.replaceState(null, '', withoutFreeCall(address))
  await finish(payment, { isUnsent, replaced: isUnsent ? replaced : undefined })
}

async function signed(way) {
  try {
    return await WAYS[way]()
  } catch (error) {
    say(`${walletFault(error)} Nothing was charged.`, 'calm')
    ;(part.offers.hidden ? byId('again') : byId(way)).focus()
  }
}

const takeUp = (payment) => finish(payment, { isUnsent: false, replaced: undefined })

/** @param {Kept} payment */
async function finish(payment, { isUnsent, replaced }) {
  const wasPaid = payment.isPaid
  current = payment
  tellWhatIsKept()
  const outcome = await present(address, payment.header, { say, note, isUnsent })
  switch (outcome.kind) {
    case 'paid':
      if (replaced) kept.forget(replaced)
      payment.isPaid = true
      kept.keep(payment)
      say(
        wasPaid
          ? 'You bought this before: here is the same reply, not charged again.'
          : 'Paid. Here is your reply.',
        'good',
      )
      offer('paid')
      return showReply(part.result, { ...outcome, receipts, explorer })
    case 'undecided':
      return hold('Still undecided. Your payment is kept: try again to send the same one.')
    case 'answered':
    case 'refused':
      if (outcome.isCharged === undefined)
        return hold(
          `${outcome.problem} It is not certain whether your payment went through, so it is kept: try again to send the same one, you are charged once at most.`,
        )
      return letGo(
        payment,
        replaced,
        outcome.kind === 'refused'
          ? `${outcome.problem} You can pay again.`
          : `${outcome.problem} Nothing was charged.`,
      )
    default:
      return letGo(
        payment,
        replaced,
        wasPaid
          ? `What you bought here was kept for ${REPLY_KEPT_HOURS} hours and is gone. You can pay again.`
          : `${outcome.problem} You can pay again.`,
      )
  }
}

function hold(text) {
  say(text, 'bad')
  offer('stuck')
  byId('retry').focus()
}

// What was bought before stays.
function letGo(payment, replaced, text) {
  kept.forget(payment)
  current = replaced
  tellWhatIsKept()
  say(text, 'bad')
  offer(replaced ? 'paid' : 'offers')
}

function tellWhatIsKept() {
  byId('keeping').hidden = current === undefined
  byId('keeping').textContent = kept.isLasting()
    ? `This browser keeps the payment: after a reload the same reply comes again, uncharged, for ${REPLY_KEPT_HOURS} hours.`
    : 'This browser does not let pages keep anything: stay on this page until you have copied or saved the reply.'
}

async function done() {
  if (current) kept.forget(current)
  current = undefined
  part.result.hidden = true
  part.result.replaceChildren()
  tellWhatIsKept()
  say('')
  const next = kept.next()
  if (next) return takeUp(next)
  offer('offers')
  byId('get-title').focus()
}

async function buyAgain() {
  const choices = ways.map((id) => ({ id, words: byId(id).textContent }))
  const way = await askVisitor({
    title: 'Pay a second time?',
    lines: [`You have this reply already. A new one costs ${price} again.`],
    choices,
  })
  if (way) await pay(way)
}

async function drop() {
  const choice = await askVisitor({
    title: 'Let go of the payment?',
    lines: ['If this payment went through, only it can fetch the reply.'],
    choices: [{ id: 'drop', words: 'Let go of it' }],
  })
  if (choice) await done()
}

async function useFreeCall() {
  say('Fetching your reply…')
  try {
    const reply = await fetch(byId('use-free').href, {
      headers: { Accept: 'application/json' },
      cache: 'no-store',
    })
    const text = await reply.text()
    const left = Number(reply.headers.get('X-Demo-Calls-Remaining') ?? 0)
    if (reply.ok) {
      tellFreeCalls(left)
      say('Here is your reply. It cost nothing.', 'good')
      showReply(part.result, { text })
    } else if (reply.status === 402 && isOwnReply(reply)) {
      tellFreeCalls(0)
      say('No free call is left for you today.', 'calm')
    } else {
      // Of somebody in between it is not known what the service did before.
      const used = isOwnReply(reply) ? 'No free call was used.' : 'A free call may have been used.'
      say(`${problemOf(reply.status, parseObject(text))} ${used}`, 'bad')
    }
  } catch {
    say('The connection was lost. Try again.', 'bad')
  }
}

function tellFreeCalls(left) {
  byId('free-left').textContent = String(left)
  byId('use-free').hidden = left === 0
}

// A payment that nobody could find again after leaving.
addEventListener('beforeunload', (event) => {
  if (current && !current.isPaid && !kept.isLasting()) event.preventDefault()
})

const press = (id, work) => byId(id)?.addEventListener('click', () => alone(work))

for (const id of ways) press(id, () => pay(id))
press('retry', () => current && takeUp(current))
press('again', buyAgain)
press('done', done)
press('drop', drop)
// With a key held down the visitor wants a tab of its own, where the browser shows the JSON.
byId('use-free')?.addEventListener('click', (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  alone(useFreeCall)
})
if (ways.length > 0) {
  byId('controls').hidden = false
  byId('plain').hidden = true
  const payment = kept.next()
  if (payment) alone(() => takeUp(payment))
}
