import { DAY_MS, HOUR_MS } from '../../core/time/time.ts'
import type { Part } from '../../intel/part.ts'
import { toApprovals } from '../../intel/wallets/approvals.ts'
import type { WalletFigures } from '../../intel/wallets/wallet-analysis.ts'
import { judgeWallet } from '../../intel/wallets/wallet-analyst.ts'
import { toWealth } from '../../intel/wallets/wealth.ts'
import { isoTime, sampleTime } from '../fields.ts'
import { SAMPLE_WALLET } from './fields.ts'
import { toPortfolio, toScan } from './replies.ts'

// Made by the code that makes the replies, so that the sums of the examples are right.

const NOON_MS = Date.parse(sampleTime)
const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const LURE = `0x${'1a'.repeat(20)}`
const STRANGER = `0x${'2b'.repeat(20)}`
const part = (source: string): Part<unknown> => ({
  source,
  status: 'fresh',
  value: undefined,
  asOfMs: NOON_MS,
})
const told = { explorerPriceUsd: undefined, holders: undefined, reputation: 'ok' }
const quote = {
  liquidityUsd: 40_000_000,
  otherLiquidityUsd: undefined,
  creator: undefined,
  scamReason: undefined,
  isAnswered: true,
}

const wealth = toWealth({
  wei: 1_250_000_000_000_000_000n,
  held: {
    rows: [
      { token: USDC, name: 'USD Coin', symbol: 'USDC', decimals: 6, units: 2_500_000_000n, ...told },
      {
        token: LURE,
        name: 'Visit usdc-gift.example to claim',
        symbol: 'GIFT',
        decimals: 18,
        units: 10n ** 22n,
        ...told,
      },
    ],
    isComplete: true,
  },
  quotes: new Map([[USDC, { ...quote, priceUsd: 1 }]]),
  etherPriceUsd: 3512.4,
})

const approvals = toApprovals({
  open: {
    rows: [
      {
        token: USDC,
        spender: STRANGER,
        allowance: 2n ** 256n - 1n,
        isCurrent: true,
        sinceMs: NOON_MS - 90 * DAY_MS,
      },
    ],
    isComplete: true,
  },
  wealth,
  spenders: new Map([[STRANGER, { kind: 'unknown_contract', name: undefined }]]),
})

const figures: WalletFigures = {
  address: SAMPLE_WALLET,
  kind: 'account',
  delegate: undefined,
  label: undefined,
  isReported: false,
  wealth,
  activity: {
    firstSeenMs: NOON_MS - 512 * DAY_MS,
    ageMs: 512 * DAY_MS,
    lastActiveMs: NOON_MS - 5 * HOUR_MS,
    idleMs: 5 * HOUR_MS,
    sent: 214,
    outgoing: 1,
    hasGap: false,
    recent: [
      {
        hash: `0x${'3c'.repeat(32)}`,
        atMs: NOON_MS - 5 * HOUR_MS,
        direction: 'out',
        counterparty: `0x${'4d'.repeat(20)}`,
        token: USDC,
        symbol: 'USDC',
        decimals: 6,
        units: 120_500_000n,
        usd: 120.5,
      },
    ],
  },
  counterparties: {
    all: [
      {
        address: `0x${'4d'.repeat(20)}`,
        label: undefined,
        exchange: undefined,
        isContract: false,
        incoming: 0,
        outgoing: 1,
        unverified: 0,
        inUsd: 0,
        outUsd: 120.5,
        lastMs: NOON_MS - 5 * HOUR_MS,
        flags: [],
      },
    ],
    movements: 1,
    riskyMovements: 0,
    sentToRisky: 0,
    isComplete: true,
  },
  approvals,
  parts: {
    account: part('base_node'),
    holdings: part('blockscout'),
    prices: part('geckoterminal'),
    transfers: part('blockscout'),
    transactions: part('blockscout'),
    approvals: part('blockscout+base_node'),
    first_transaction: part('blockscout'),
  },
  asOfMs: NOON_MS,
}

const analysis = judgeWallet(figures)
const sourceOf = (source: string) => source
const timestamp = isoTime(NOON_MS)

export const samplePortfolio = { timestamp, ...toPortfolio(analysis, sourceOf) }
export const sampleScan = { timestamp, ...toScan(analysis, approvals, sourceOf) }
