// Proves to the service which wallet the visitor has, for one call: the x402 extension sign-in-with-x, whose text is
// that of EIP-4361. Nothing is kept: the next call needs the next signature.
import { toHex } from '../hex.js'
import { parseObject, problemOf } from '../problem.js'
import { toHeader } from './payment-header.js'

const FETCH_LIMIT_MS = 30_000
// As long as a signature is good for.
const WALLET_LIMIT_MS = 300_000

/**
 * Asks for an account and for a signature, and returns the proof for the header SIGN-IN-WITH-X.
 * @param {import('./wallet.js').Wallet | undefined} wallet
 * @param {{ path: string, say: (text: string) => void }} options `path` of `account.siwx`
 * @returns {Promise<string>}
 */
export async function proveWallet(wallet, { path, say }) {
  if (!wallet)
    throw new Error('No wallet was found in this browser. Install one, or see below what else works.')
  say('Choose an account in your wallet.')
  const accounts = await answerOf(wallet, { method: 'eth_requestAccounts' })
  const address = Array.isArray(accounts) ? accounts[0] : undefined
  if (typeof address !== 'string') throw new Error('Your wallet named no account.')
  const reply = await fetch(path, {
    headers: { Accept: 'application/json' },
    cache: 'no-store',
    signal: AbortSignal.timeout(FETCH_LIMIT_MS),
  })
  const body = parseObject(await reply.text())
  if (!reply.ok) throw new Error(problemOf(reply.status, body))
  const { info, supportedChains } = body.extensions['sign-in-with-x']
  const chain = supportedChains.find(({ type }) => type === 'eip191')
  say('Sign the text in your wallet. It costs nothing and moves no money.')
  const text = new TextEncoder().encode(textOf({ ...info, ...chain, address }))
  const params = [`0x${toHex(text)}`, address]
  const signature = await answerOf(wallet, { method: 'personal_sign', params })
  if (typeof signature !== 'string') throw new Error('Your wallet returned no signature.')
  return toHeader({ ...info, ...chain, address, signature })
}

/** A wallet may never answer. */
function answerOf(wallet, call) {
  const tooLate = new Promise((_, reject) => {
    setTimeout(
      () => reject(new Error('Your wallet did not answer: open it, then try again.')),
      WALLET_LIMIT_MS,
    )
  })
  return Promise.race([wallet.request(call), tooLate])
}

// What the service puts together as well, to the letter.
function textOf({ domain, address, statement, uri, version, chainId, nonce, issuedAt, expirationTime }) {
  return [
    `${domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    statement,
    '',
    `URI: ${uri}`,
    `Version: ${version}`,
    `Chain ID: ${chainId.split(':')[1]}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt}`,
    `Expiration Time: ${expirationTime}`,
  ].join('\n')
}
