import { NOT_CALLED } from '../providers.ts'

/** A name that tools may already set although nothing reads it. */
type NotYet = {
  name: string
  message: string
  /** The one value that is accepted, because it is the default. */
  allowed?: string
  /** An address that is not called does no harm: the start goes on and says so. */
  isHarmless?: true
}

const UPSTREAMS_NOT_CALLED = [
  ...NOT_CALLED,
  'BYBIT',
  'OKX',
  'HYPERLIQUID',
  'GECKOTERMINAL',
  'DEXSCREENER',
  'GOPLUS',
  'HONEYPOT',
  'BLOCKSCOUT',
  'COINGECKO',
  'FNG',
  'MEMPOOL',
  'COINLOBSTER',
  'SOSOVALUE',
  'BAZAAR',
  'LLM',
]

/**
 * Refused at start: a setting that is accepted and ignored does harm. Two processes with one DATABASE_URL, each on a
 * ledger of its own, sold two goods for one payment. A name moves from here to the declarations with its first reader.
 */
export const NOT_YET: readonly NotYet[] = [
  {
    name: 'DATABASE_URL',
    message: 'PostgreSQL is not supported yet; remove it to use the embedded ledger',
  },
  { name: 'REDIS_URL', message: 'Redis is not supported yet; remove it and run one process' },
  {
    name: 'TOLLBOOK_ROLE',
    message: 'several processes are not supported yet; remove it or set it to all',
    allowed: 'all',
  },
  { name: 'TOLLBOOK_SITE', message: 'there is no chat endpoint yet; remove it' },
  ...UPSTREAMS_NOT_CALLED.map((name) => ({
    name: `TOLLBOOK_UPSTREAM_${name}_URL`,
    message: 'nothing calls this upstream yet; remove it',
    isHarmless: true as const,
  })),
]
