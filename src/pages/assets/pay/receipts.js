// What the visitor's wallet bought. Every call is signed for itself; what comes back lives in this page only.
import { createAlone } from '../alone.js'
import { button, element } from '../element.js'
import { count, dateAndMinuteOf } from '../formats.js'
import { parseObject, problemOf } from '../problem.js'
import { createSay } from '../say.js'
import { proveWallet } from './sign-in.js'
import { walletFault } from './wallet.js'
import { createWalletPicker } from './wallet-picker.js'

const FETCH_LIMIT_MS = 30_000

/** @returns {any} */
const byId = (id) => document.getElementById(id)
const { dataset: paths } = byId('receipts')

const say = createSay(byId('status'))
const alone = createAlone(() => document.querySelectorAll('#receipts button'))
const chosenWallet = createWalletPicker()
let nextOffset = 0

/** @param {() => Promise<void>} work */
const run = (work) =>
  alone(async () => {
    try {
      await work()
    } catch (error) {
      say(walletFault(error), 'bad')
      // Whoever pressed a button of the list may not see it.
      byId('status').scrollIntoView({ block: 'nearest' })
    }
  })

async function ask(address) {
  const proof = await proveWallet(chosenWallet(), { path: paths.signIn, say })
  say('Asking the service…')
  const reply = await fetch(address, {
    headers: { Accept: 'application/json', 'SIGN-IN-WITH-X': proof },
    cache: 'no-store',
    signal: AbortSignal.timeout(FETCH_LIMIT_MS),
  })
  if (reply.ok) return reply
  throw new Error(problemOf(reply.status, parseObject(await reply.text())))
}

async function list(offset) {
  const { wallet, purchases, spent_usdc, items, next_offset } = await (
    await ask(`${paths.list}?offset=${offset}`)
  ).json()
  const lines = items.map(lineOf)
  if (offset === 0) byId('bought').replaceChildren()
  byId('bought').append(...lines)
  byId('wallet').textContent = wallet
  byId('purchases').textContent = count(purchases)
  byId('spent').textContent = `${spent_usdc} USDC`
  byId('table').hidden = purchases === 0
  byId('none').hidden = purchases > 0
  byId('csv').hidden = purchases === 0
  nextOffset = next_offset
  byId('more').hidden = next_offset === null
  byId('reply').hidden = true
  byId('account').hidden = false
  byId('sign-in-title').textContent = 'Signed in'
  byId('signing-in').hidden = true
  byId('signed-in').hidden = false
  if (offset === 0) {
    say(purchases === 0 ? 'Signed in. This wallet has bought nothing here.' : 'Signed in.', 'good')
    return byId('account-title').focus()
  }
  say(`${count(byId('bought').rows.length)} of ${count(purchases)} purchases are shown.`, 'good')
  // With the last page its button is gone, and with it the focus: reading goes on at the first new line.
  if (next_offset === null) lines[0]?.querySelector('a').focus()
}

function lineOf({ id, settled_at, request, amount_usdc, reply_until }) {
  const href = paths.receipt.replace('{id}', encodeURIComponent(id))
  const receipt = element('a', { href, 'aria-label': `Receipt of ${request}, ${settled_at}` }, 'Receipt')
  return element(
    'tr',
    {},
    // First: at the end it would be off a telephone's screen.
    element('td', {}, reply_until ? againButton(id, request) : 'no longer kept'),
    element('th', { scope: 'row' }, dateAndMinuteOf(settled_at)),
    element('td', { class: 'words' }, request),
    element('td', { class: 'number' }, `${amount_usdc} USDC`),
    element('td', {}, receipt),
  )
}

const againButton = (id, request) =>
  button('Read again', () => run(() => readAgain(id)), {
    class: 'quiet compact',
    'aria-label': `Read again: ${request}`,
  })

async function readAgain(id) {
  const { request, settled_at, reply } = await (
    await ask(paths.reply.replace('{id}', encodeURIComponent(id)))
  ).json()
  byId('reply-title').textContent = `${request}, as bought at ${settled_at}`
  byId('reply-text').textContent = JSON.stringify(reply, null, 2)
  byId('reply').hidden = false
  say('Here is the reply as you bought it.', 'good')
  byId('reply-title').focus()
}

async function download() {
  const reply = await ask(`${paths.list}?format=csv`)
  const total = Number(reply.headers.get('X-Total-Count'))
  const text = await reply.text()
  const href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  const link = element('a', { href, download: 'tollbook-receipts.csv' })
  link.click()
  URL.revokeObjectURL(link.href)
  const rows = text.split('\r\n').length - 2
  say(
    rows < total
      ? `Downloaded: the newest ${rows} of ${total} purchases.`
      : 'Downloaded: all your purchases.',
    'good',
  )
}

byId('sign-in').addEventListener('click', () => run(() => list(0)))
// A new page is the one sure way to forget.
byId('sign-out').addEventListener('click', () => location.reload())
byId('more').addEventListener('click', () => run(() => list(nextOffset)))
byId('csv').addEventListener('click', () => run(download))
byId('plain').hidden = true
byId('controls').hidden = false
