// Pays for a call from its place in the docs. A payment is kept before it is sent: whatever happens, the page of the
// address itself finds it and fetches the reply.
import { button, element } from '../element.js'
import { REPLY_KEPT_HOURS } from '../facts.js'
import { amount } from '../formats.js'
import { openKeptPayments } from '../pay/kept-payments.js'
import { fromHeader } from '../pay/payment-header.js'
import { paymentFor, present, signByService, withoutFreeCall } from '../pay/purchase.js'
import { findWallets, injectedWallet, signPayment, walletFault, walletTerms } from '../pay/wallet.js'

const ATOMS_PER_USD = 1_000_000

/**
 * @typedef {{ address: string, alone: (work: () => Promise<void>) => void, playPath?: string, say: (text: string, tone?: string) => void, note: (text: string) => void,
 *   show: (reply: { text: string, settlement: import('../pay/purchase.js').Settlement }) => void }} Call
 */

// Two may have the same name.
/** @type {Map<string, { name: string, wallet: import('../pay/wallet.js').Wallet }>} */
const wallets = new Map()
findWallets((wallet, name, id) => wallets.set(id, { name, wallet }))

/**
 * The buttons that can pay for this 402, and a link to the page that always can.
 * @param {Response} reply
 * @param {Call} call
 * @returns {HTMLElement[]}
 */
export function waysToPay(reply, call) {
  const required = fromHeader(reply.headers.get('PAYMENT-REQUIRED'))
  const { address, playPath, say } = call
  // Not a free call: what is kept there is fetched.
  const link = element('a', { href: withoutFreeCall(address) }, 'Pay on its own page')
  const price = priceOf(required)
  if (price === undefined || !required.resource) return [link]
  const behindMs = behindOf(reply)
  const signers = walletTerms(required)
    ? walletsHere().map(({ name, wallet }) => ({
        name,
        sign: () => signPayment(wallet, { required, nowMs: Date.now() + behindMs, say }),
      }))
    : []
  if (playPath) signers.unshift({ name: 'play money', sign: () => signByService(playPath, required) })
  return [
    ...signers.map(({ name, sign }) =>
      button(`Pay ${price} for ${address} with ${name}`, () => call.alone(() => buy(sign, required, call))),
    ),
    link,
  ]
}

// Announced ones by their names; the one that old wallets put into the page only where it is the only one.
function walletsHere() {
  if (wallets.size > 0) return [...wallets.values()]
  const injected = injectedWallet()
  return injected ? [{ name: 'wallet', wallet: injected }] : []
}

/** What this 402 asks for, whatever the docs say: `$0.001`. */
function priceOf({ accepts }) {
  const amounts = Array.isArray(accepts) ? accepts.map((terms) => Number(Object(terms).amount)) : []
  return amounts[0] > 0 ? `$${amount(amounts[0] / ATOMS_PER_USD)}` : undefined
}

// How far the visitor's clock is behind: a payment is valid by the clock of the service.
function behindOf(reply) {
  const atMs = Date.parse(reply.headers.get('Date') ?? '')
  return Number.isNaN(atMs) ? 0 : atMs - Date.now()
}

async function buy(sign, required, { address, say, note, show }) {
  const kept = openKeptPayments(required.resource.url)
  let made
  try {
    made = await paymentFor(kept, sign)
  } catch (error) {
    return say(`${walletFault(error)} Nothing was charged.`)
  }
  const { payment, isUnsent } = made
  const wasPaid = payment.isPaid
  const outcome = await present(address, payment.header, { say, note, isUnsent })
  if (outcome.kind === 'paid') {
    kept.keep({ ...payment, isPaid: true })
    say(
      wasPaid
        ? 'You bought this before: here is the same reply, not charged again. To buy it again, use its own page.'
        : `Paid. Here is your reply. Its own page shows it again for ${REPLY_KEPT_HOURS} hours.`,
      'good',
    )
    return show(outcome)
  }
  if (outcome.kind === 'undecided' || (outcome.kind !== 'used' && outcome.isCharged === undefined))
    return say(
      'It is not certain yet whether your payment went through. It is kept, and pressing again sends the same one: you are charged once at most.',
      'bad',
    )
  kept.forget(payment)
  say(outcome.problem, 'bad')
}
