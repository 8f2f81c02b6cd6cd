import type { Site } from '../catalog/site.ts'
import { COINS_LISTED } from '../core/coin.ts'
import { SERVICE } from '../core/service.ts'
import { urlOf } from './address.ts'

/** What we say about ourselves, said once; every document takes its words from here. */
export const { name: NAME, version: API_VERSION } = SERVICE
export const LICENSE = { name: 'Apache License 2.0', identifier: 'Apache-2.0' } as const

export const SUMMARY =
  'Market data, five-minute trading signals and intelligence on tokens, wallets and markets, paid per call through x402'
const PITCH =
  `Market data and five-minute signals for ${COINS_LISTED}, sentiment, derivatives, whales, tokens, wallets, prediction ` +
  'markets and a directory of paid APIs. Paid in USDC per call through x402: no account, no API key. Every reply ' +
  'says time and source of its data; too old is never charged.'

/** Directories take at most five tags of 32 characters; the first five are the ones that matter. */
export const KEYWORDS = [
  'crypto',
  'market-data',
  'trading-signals',
  'x402',
  'usdc',
  'prediction-markets',
  'agents',
  'sentiment',
  'tokens',
  'wallets',
]

/** Simulated data and money never look real: whoever reads a document learns it there. */
export function noticeOf({ mode }: Site): string {
  if (mode === 'sandbox')
    return 'SANDBOX: market data is simulated and the money is play money; payments settle on local test chains only. Use throw-away keys.'
  if (mode === 'paper')
    return 'PAPER: market data is real and the money is play money; payments settle on local test chains only. Use throw-away keys.'
  return ''
}

export function descriptionOf(site: Site): string {
  return [noticeOf(site), PITCH].filter((part) => part !== '').join(' ')
}

/** Where the examples of all documents come from: see `npm run examples`. */
export const EXAMPLES_ARE =
  'Every example is a reply that this service gave in its sandbox. Long lists are cut to their first items, and keys are masked.'

export function demoTerms({ demoCallsPerDay }: Site) {
  return {
    free_calls_per_day_per_ip: demoCallsPerDay,
    via:
      demoCallsPerDay > 0
        ? `Call any paid endpoint without a payment header: ${demoCallsPerDay} calls per UTC day and client, over all paid endpoints together, are free. X-Demo-Calls-Remaining counts them; add demo=0 to see the 402 at once.`
        : 'There are no free calls: every call of a paid endpoint needs a payment.',
  }
}

export const PAYING_STEPS = [
  'Call a paid endpoint. Without free calls left the reply is 402; its body, and in short the headers PAYMENT-REQUIRED and X-Payment-Required in base64, say the price, the networks and the receiving addresses.',
  'Choose one entry of accepts and sign a payment of exactly that amount of USDC; an x402 client library does it.',
  'Send the same request again with the signed payment in PAYMENT-SIGNATURE (x402 version 2) or X-PAYMENT (version 1).',
  'The reply is the data, with the settlement in PAYMENT-RESPONSE. A refused payment is 402 again and costs nothing.',
] as const

/** Client libraries that pay x402 by themselves; with versions, where those are tested here. */
export const SDK = {
  node: 'npm install @x402/fetch@2.27 @x402/evm@2.27 viem@2.57.1',
  ts_generic: 'npm install @x402/core',
  py_generic: 'pip install x402',
  agentcash_mcp: 'npx -y agentcash@latest',
} as const

export const PAYING_CODE = `import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { privateKeyToAccount } from 'viem/accounts'

const client = new x402Client()
registerExactEvmScheme(client, { signer: privateKeyToAccount(process.env.PRIVATE_KEY) })
const pay = wrapFetchWithPayment(fetch, client)`

/** How the program above is run. */
export const PROGRAM = {
  save: 'Save this program as pay.mjs in the folder where you installed the client',
  run: 'PRIVATE_KEY=YOUR_KEY node pay.mjs',
  key: 'Put the private key of a wallet that holds USDC on Base in place of YOUR_KEY: 0x and 64 hex digits.',
} as const

export const POLICIES = {
  fulfillment_policy: {
    delivery: 'synchronous',
    order: 'The data is produced first, then the payment settles, then the reply is sent.',
    freshness:
      'Data older than the bound of its product, or than max_age seconds where the caller says so, is answered 503 and not charged.',
  },
  refund_policy: {
    refunds: 'none',
    why: 'A call that ends in an error is never charged, so there is nothing to give back; a settled payment is final.',
  },
} as const

const CHAINS: Record<string, string> = { eip155: 'Base', solana: 'Solana' }

export function chainName(network: string): string {
  return CHAINS[network.split(':')[0] ?? ''] ?? network
}

/** For a model that reads nothing else; agent directories cut it at 4000 characters. */
export function guidanceOf(site: Site): string {
  return [
    descriptionOf(site),
    `Prices: ${urlOf(site, 'document.pricing')}. How to start: ${urlOf(site, 'document.quickstart')}. Everything in one text: ${urlOf(site, 'document.llms_full')}.`,
    demoTerms(site).via,
    `To pay: ${PAYING_STEPS.join(' ')}`,
    'Requests that break their schema get 422 and cost nothing; every other failure is application/problem+json with a code and a hint. On 429 and 503 wait for Retry-After.',
  ].join('\n\n')
}
