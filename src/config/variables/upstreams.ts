import type { z } from 'zod'
import { UPSTREAMS, type UpstreamName, type Upstreams } from '../providers.ts'
import { evmAddress } from './addresses.ts'
import { calledUrl, httpUrl, secretText, wholeNumber, wsUrl } from './value-types.ts'
import { type Rules, type Variable, variable } from './variable.ts'

const MAX_SEED = 4_294_967_295

/** All three or none. */
const clob: Rules = {
  pairedWith: ['TOLLBOOK_CLOB_API_KEY', 'TOLLBOOK_CLOB_SECRET', 'TOLLBOOK_CLOB_PASSPHRASE'],
  refusedIn: { sandbox: 'the sandbox makes its own credentials' },
  isSecret: true,
}
const NOT_SIMULATED = 'only the sandbox simulates a market'
const SIMULATED = 'the sandbox simulates this provider; use paper mode to read another address'

/** Paths and queries of requests are appended to it. */
const baseOf = (address: typeof httpUrl) =>
  address
    .refine(isBareAddress, 'must have no query (?), no fragment (#) and no user name or password')
    .transform((url) => url.replace(/\/+$/, ''))

const upstreamUrls = Object.fromEntries(
  UPSTREAMS.map(({ name, title, url }) => {
    const isSocket = url?.startsWith('wss:')
    const about = `${isSocket ? 'WebSocket' : 'REST'} address of ${title}`
    const base = baseOf(isSocket ? wsUrl : httpUrl)
    const type = url === undefined ? base.optional() : base.default(url)
    return [
      `TOLLBOOK_UPSTREAM_${name}_URL`,
      variable<z.ZodType>(type, about, { ignoredIn: { sandbox: SIMULATED } }),
    ]
  }),
) as {
  [Name in UpstreamName as `TOLLBOOK_UPSTREAM_${Name}_URL`]: Variable<z.ZodType<Upstreams[Name]>>
}

/** Where market data comes from. */
export const UPSTREAM_VARIABLES = {
  ...upstreamUrls,
  TOLLBOOK_CLOB_API_KEY: variable(
    secretText.optional(),
    'Prediction-market credentials for the oracle feed: key. Without them the oracle price is derived from Coinbase',
    clob,
  ),
  TOLLBOOK_CLOB_SECRET: variable(secretText.optional(), 'Prediction-market credentials: secret', clob),
  TOLLBOOK_CLOB_PASSPHRASE: variable(
    secretText.optional(),
    'Prediction-market credentials: passphrase',
    clob,
  ),
  TOLLBOOK_POLY_WALLET: variable(
    evmAddress.optional(),
    "The operator's deposit wallet at Polymarket, a public address: what it did makes /api/predmkt/history. Without it the history is empty",
    { refusedIn: { sandbox: 'the sandbox makes its own account' } },
  ),
  TOLLBOOK_INTEL_RPC_URL: variable(
    calledUrl.optional(),
    'Base (8453) node that tokens, wallets and transfers are read from, never payments. Without it live mode asks TOLLBOOK_EVM_RPC_URL, and in paper mode what only a node tells is missing',
    { ignoredIn: { sandbox: SIMULATED }, isSecret: true },
  ),
  TOLLBOOK_COINGECKO_KEY: variable(
    secretText.optional(),
    'A free demo key of CoinGecko: its data is then renewed reliably. Without it fewer requests are answered',
    { ignoredIn: { sandbox: SIMULATED }, isSecret: true },
  ),
  TOLLBOOK_BLOCKSCOUT_KEY: variable(
    secretText.optional(),
    'A key of the Blockscout PRO API; set TOLLBOOK_UPSTREAM_BLOCKSCOUT_URL to https://api.blockscout.com/8453 with it',
    { ignoredIn: { sandbox: SIMULATED }, isSecret: true },
  ),
  TOLLBOOK_SANDBOX_SEED: variable(
    wholeNumber(0, MAX_SEED).default(1),
    'Seed of the simulated market: the same seed gives the same market',
    { refusedIn: { paper: NOT_SIMULATED, live: NOT_SIMULATED } },
  ),
}

function isBareAddress(address: string): boolean {
  // What is no address at all has its own message.
  if (!URL.canParse(address)) return true
  const { username, password } = new URL(address)
  return !/[?#]/.test(address) && username === '' && password === ''
}
