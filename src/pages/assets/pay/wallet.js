// Wallets in the visitor's browser (EIP-1193, announced by EIP-6963), and the x402 payments that they sign.
import { randomHex } from '../hex.js'
import { sentence } from '../problem.js'
import { toHeader } from './payment-header.js'

/** @typedef {{ request(call: { method: string, params?: unknown[] }): Promise<any> }} Wallet */

const CHAIN_ID = 8453
const NETWORK = `eip155:${CHAIN_ID}`
// As the stock clients do: a clock that runs ahead must not make a payment that is not valid yet.
const BACKDATED_S = 600
const IDENTIFIER_BYTES = 16
const WALLETS_LIMIT = 20
const NAME_LIMIT = 60
const MESSAGE_LIMIT = 200

/** Of the terms of a 402 those that a wallet in a browser can pay. */
export function walletTerms({ accepts }) {
  return accepts.find(({ scheme, network }) => scheme === 'exact' && network === NETWORK)
}

/**
 * Tells of each wallet once. Anything may announce itself: what has no name or cannot be asked is left out.
 * @param {(wallet: Wallet, name: string, id: string) => void} heard
 */
export function findWallets(heard) {
  const known = new Set()
  addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = Object(/** @type {CustomEvent} */ (event).detail)
    const { uuid, name } = Object(info)
    if (typeof uuid !== 'string' || typeof name !== 'string' || typeof provider?.request !== 'function')
      return
    if (known.size >= WALLETS_LIMIT || known.has(uuid)) return
    known.add(uuid)
    heard(provider, name.slice(0, NAME_LIMIT), uuid)
  })
  dispatchEvent(new Event('eip6963:requestProvider'))
}

/**
 * The one that old wallets put into every page.
 * @returns {Wallet | undefined}
 */
export const injectedWallet = () => /** @type {any} */ (window).ethereum

/**
 * Asks for an account, for Base and for a signature, and returns the payment for the header PAYMENT-SIGNATURE.
 * `required` is the 402; `nowMs` the time at the service, since the visitor's clock may be wrong.
 * @param {Wallet | undefined} wallet
 * @param {{ required: any, nowMs: number, say: (text: string) => void }} order
 * @returns {Promise<string>}
 */
export async function signPayment(wallet, { required, nowMs, say }) {
  if (!wallet) throw new Error('No wallet was found in this browser. Install one, or use another way below.')
  const terms = walletTerms(required)
  say('Choose an account in your wallet.')
  const accounts = await wallet.request({ method: 'eth_requestAccounts' })
  const from = Array.isArray(accounts) ? accounts[0] : undefined
  if (typeof from !== 'string') throw new Error('Your wallet named no account.')
  await useChain(wallet, say)
  const nowS = Math.floor(nowMs / 1000)
  const authorization = {
    from,
    to: terms.payTo,
    value: terms.amount,
    validAfter: String(nowS - BACKDATED_S),
    validBefore: String(nowS + terms.maxTimeoutSeconds),
    nonce: `0x${randomHex(32)}`,
  }
  say('Sign the payment in your wallet.')
  const params = [from, JSON.stringify(typedData(terms, authorization))]
  const signature = await wallet.request({ method: 'eth_signTypedData_v4', params })
  if (typeof signature !== 'string') throw new Error('Your wallet returned no signature.')
  const { x402Version, resource, extensions } = required
  const payload = { signature: withRecoveryByte(signature), authorization }
  // The chain shows the rest of a payment to everybody: with this the buyer gets his reply again from anywhere.
  const named = { ...extensions, 'payment-identifier': { info: { id: randomHex(IDENTIFIER_BYTES) } } }
  return toHeader({ x402Version, resource, accepted: terms, payload, extensions: named })
}

async function useChain(wallet, say) {
  const isThere = async () => Number(await wallet.request({ method: 'eth_chainId' })) === CHAIN_ID
  if (await isThere()) return
  say('Let your wallet switch to Base.')
  const params = [{ chainId: `0x${CHAIN_ID.toString(16)}` }]
  await wallet.request({ method: 'wallet_switchEthereumChain', params })
  if (!(await isThere())) throw new Error('Your wallet is still on another chain: switch it to Base.')
}

function typedData(terms, message) {
  const fields = (text) =>
    text.split(', ').map((field) => ({ type: field.split(' ')[0], name: field.split(' ')[1] }))
  const { name, version } = terms.extra
  return {
    types: {
      EIP712Domain: fields('string name, string version, uint256 chainId, address verifyingContract'),
      TransferWithAuthorization: fields(
        'address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce',
      ),
    },
    primaryType: 'TransferWithAuthorization',
    domain: { name, version, chainId: CHAIN_ID, verifyingContract: terms.asset },
    message,
  }
}

// Some hardware wallets end a signature in 0 or 1, the chain wants 27 or 28. Longer ones are a smart wallet's own.
function withRecoveryByte(signature) {
  return signature.replace(/^(0x.{128})0([01])$/, (_, bare, bit) => bare + (bit === '1' ? '1c' : '1b'))
}

// Codes of EIP-1193 and of JSON-RPC, as wallets use them.
const WALLET_ERRORS = new Map([
  [4001, 'You declined in your wallet.'],
  [4902, 'Your wallet does not know Base (chain 8453): add it there, then try again.'],
  [-32002, 'Your wallet still waits for an answer: open it.'],
])

/** What stopped us before there was a signature, as text: show it with `textContent`. */
export function walletFault(error) {
  const { code, message } = Object(error)
  return WALLET_ERRORS.get(code) ?? sentence(String(message || 'The wallet failed').slice(0, MESSAGE_LIMIT))
}
