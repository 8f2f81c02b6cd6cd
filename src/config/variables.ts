import { z } from 'zod'
import { LOG_LEVELS } from '../core/log.ts'
import { secret } from '../core/secret.ts'
import { cidrList, httpUrlList, port, wholeNumber } from './value-types.ts'

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' })
const wsUrl = z.url({ protocol: /^wss?$/, error: 'must be a ws(s) address' })
const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')
const svmAddress = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'must be a base58 address')
const hidden = z.string().min(16, 'must have at least 16 characters').transform(secret)

/** Public addresses of the upstreams; the sandbox points all of them at itself. */
export const UPSTREAM_URLS = {
  BINANCE: 'https://data-api.binance.vision',
  BINANCE_WS: 'wss://data-stream.binance.vision',
  COINBASE: 'https://api.exchange.coinbase.com',
  COINBASE_WS: 'wss://ws-feed.exchange.coinbase.com',
  BYBIT: 'https://api.bybit.com',
  OKX: 'https://www.okx.com',
  HYPERLIQUID: 'https://api.hyperliquid.xyz',
  GAMMA: 'https://gamma-api.polymarket.com',
  CLOB: 'https://clob.polymarket.com',
  CLOB_WS: 'wss://ws-subscriptions-clob.polymarket.com/ws',
  POLY_DATA: 'https://data-api.polymarket.com',
  POLY_LIVE_WS: 'wss://ws-live-v2.polymarket.com/ws',
  POLY_WEB: 'https://polymarket.com',
  RELAYER: 'https://relayer-v2.polymarket.com',
  GECKOTERMINAL: 'https://api.geckoterminal.com',
  DEXSCREENER: 'https://api.dexscreener.com',
  GOPLUS: 'https://api.gopluslabs.io',
  HONEYPOT: 'https://api.honeypot.is',
  BLOCKSCOUT: 'https://base.blockscout.com',
  COINGECKO: 'https://api.coingecko.com',
  FNG: 'https://api.alternative.me',
  MEMPOOL: 'https://mempool.space',
  COINLOBSTER: 'https://coinlobster.com',
  SOSOVALUE: 'https://api.sosovalue.xyz',
  BAZAAR: 'https://api.cdp.coinbase.com',
  LLM: 'https://api.openai.com',
} as const
export type UpstreamName = keyof typeof UPSTREAM_URLS

const upstreams = Object.entries(UPSTREAM_URLS).map(([name, url]) => {
  const type = url.startsWith('ws') ? wsUrl : httpUrl
  const about = `Base address of ${name.toLowerCase().replaceAll('_', ' ')}; the sandbox sets its own`
  return [`TOLLBOOK_UPSTREAM_${name}_URL`, type.default(url).describe(about)] as const
})

/** Every variable the service reads, with its type, default and meaning: `.env.example` and the docs table come from here. */
export const VARIABLES = {
  PORT: port.default(4020).describe('Port to listen on'),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on'),
  TOLLBOOK_MODE: z
    .enum(['sandbox', 'paper', 'live'])
    .default('sandbox')
    .describe(
      'sandbox: simulated venues, local chain; paper: real data, simulated money; live: real everything',
    ),
  TOLLBOOK_DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .describe('Where the embedded store, keys and chain state live'),
  TOLLBOOK_BASE_URL: httpUrl.optional().describe('Public address used in envelopes, manifests and documents'),
  TOLLBOOK_SITE: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be a short lower-case path segment')
    .default('tollbook')
    .describe('Path segment of the chat endpoint, /{site}/chat'),
  TOLLBOOK_OPERATOR_KEY: hidden
    .optional()
    .describe('Operator credential; the sandbox generates one at first start'),
  TOLLBOOK_CONTACT_EMAIL: z
    .email()
    .default('ops@tollbook.invalid')
    .describe('Contact in the API description and security.txt'),
  TOLLBOOK_DEMO_CALLS_PER_DAY: wholeNumber(0, 1_000_000_000)
    .default(5)
    .describe('Free calls per client and UTC day; 0 turns them off'),
  TOLLBOOK_DEMO_TOTAL_PER_DAY: wholeNumber(0, 1_000_000_000)
    .optional()
    .describe('Free calls over all clients and day; 20000, or the per-client limit where that is higher'),
  TOLLBOOK_TRUSTED_PROXIES: cidrList
    .default([])
    .describe('CIDRs whose X-Forwarded-For is believed; empty: the socket address counts'),
  TOLLBOOK_FACILITATORS: httpUrlList.default([]).describe('Facilitator addresses, primary first'),
  TOLLBOOK_FACILITATOR_KEY_ID: z
    .string()
    .min(1)
    .optional()
    .describe('Name of the API key for the facilitator at api.cdp.coinbase.com'),
  TOLLBOOK_FACILITATOR_KEY: hidden
    .optional()
    .describe('… its secret: PEM of an EC P-256 or Ed25519 key, or base64 of an Ed25519 key; both or none'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be postgres://…' })
    .transform(secret)
    .optional()
    .describe('Puts the ledger on PostgreSQL; absent: embedded SQLite'),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: 'must be redis://…' })
    .transform(secret)
    .optional()
    .describe('Shared counters and market state for several processes; absent: in process'),
  TOLLBOOK_ROLE: z
    .enum(['all', 'api', 'engine'])
    .default('all')
    .describe('Which part of the service this process runs'),
  TOLLBOOK_EVM_RPC_URL: httpUrl
    .optional()
    .describe('Base (8453) node; required in live mode, the sandbox starts its own'),
  TOLLBOOK_SVM_RPC_URL: httpUrl
    .optional()
    .describe('Solana node; required in live mode, the sandbox starts its own'),
  TOLLBOOK_PAY_TO_EVM: evmAddress
    .optional()
    .describe('Where USDC on Base goes; required in live mode, refused in the sandbox'),
  TOLLBOOK_PAY_TO_SVM: svmAddress
    .optional()
    .describe('Where USDC on Solana goes; required in live mode, refused in the sandbox'),
  TOLLBOOK_CLOB_API_KEY: hidden.optional().describe('Prediction-market credentials for the oracle feed: key'),
  TOLLBOOK_CLOB_SECRET: hidden.optional().describe('… secret'),
  TOLLBOOK_CLOB_PASSPHRASE: hidden
    .optional()
    .describe('… passphrase; all three or none. Without them the oracle price is derived from Coinbase'),
  TOLLBOOK_LOG_LEVEL: z
    .enum(LOG_LEVELS)
    .default('info')
    .describe('Least important log line that is written (to stderr)'),
  TOLLBOOK_SANDBOX_SEED: wholeNumber(0, 4_294_967_295)
    .default(1)
    .describe('Seed of the simulated market: the same seed gives the same market'),
  ...(Object.fromEntries(upstreams) as Record<
    `TOLLBOOK_UPSTREAM_${UpstreamName}_URL`,
    (typeof upstreams)[number][1]
  >),
}
