import { DAY_MS } from '../../core/time/time.ts'
import type { Part } from '../../intel/part.ts'
import {
  POWERS,
  type Power,
  TOKEN_SOURCES,
  type TokenFigures,
  type TokenSource,
  type Told,
} from '../../intel/tokens/token-analysis.ts'
import { SAMPLE_ADDRESS } from '../../products/tokens/fields.ts'

const NOON_MS = Date.parse('2026-01-05T12:00:00.000Z')
const no = { value: false, source: 'goplus' } as const
const fresh = (source: TokenSource): [TokenSource, Part<undefined>] => [
  source,
  { source, status: 'fresh', value: undefined, asOfMs: NOON_MS },
]

/** A token that all sources know and nothing speaks against. */
export const sampleFigures: TokenFigures = {
  address: SAMPLE_ADDRESS,
  identity: {
    name: 'Wrapped Ether',
    symbol: 'WETH',
    isWithheld: false,
    alsoCalled: [],
    decimals: 18,
    totalSupply: 228_400.5,
  },
  market: {
    priceUsd: 3512.4,
    change: { m5: 0.05, h1: 0.31, h6: -0.4, h24: 1.25 },
    volumeUsd24h: 412_500_000,
    buys24h: 184_200,
    sells24h: 179_850,
    liquidityUsd: 96_400_000,
    pools: 30,
    marketCapUsd: 802_234_000,
    fdvUsd: 802_234_000,
    createdMs: NOON_MS - 700 * DAY_MS,
    ageMs: 700 * DAY_MS,
  },
  holders: {
    count: { value: 1_204_512, source: 'blockscout' },
    top10Share: { value: 0.0412, source: 'blockscout' },
    largest: { value: { address: `0x${'5a'.repeat(20)}`, share: 0.0123 }, source: 'blockscout' },
    contractShare: { value: 0.0524, source: 'blockscout' },
    creatorShare: { value: 0, source: 'goplus' },
    ownerShare: { value: 0, source: 'goplus' },
    lockedLiquidityShare: undefined,
  },
  taxes: {
    buy: { value: 0, source: 'honeypot.is' },
    sell: { value: 0, source: 'honeypot.is' },
    transfer: { value: 0, source: 'honeypot.is' },
  },
  powers: {
    ...(Object.fromEntries(POWERS.map((power) => [power, no])) as Record<Power, Told<boolean>>),
    owner: { value: 'renounced', source: 'goplus' },
    isTrusted: true,
  },
  honeypot: {
    verdict: 'no',
    by: ['honeypot.is', 'goplus'],
    told: [
      { source: 'honeypot.is', verdict: 'no', reason: undefined },
      { source: 'goplus', verdict: 'no', reason: undefined },
    ],
    isDisputed: false,
  },
  reports: [],
  parts: Object.fromEntries(TOKEN_SOURCES.map(fresh)) as TokenFigures['parts'],
  asOfMs: NOON_MS,
}
