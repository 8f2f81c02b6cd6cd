import { DAY_MS } from '../../../core/time/time.ts'
import { DRAINER, ROUTER } from '../known-addresses.ts'
import { unitsOf } from '../units.ts'
import { approve, date, holding, makeWallet, type WalletSpec } from './make-wallet.ts'

const DRAINED_AT = date(2025, 11, 4)

export const PEOPLE: readonly WalletSpec[] = [
  makeWallet({
    name: 'victim',
    since: date(2024, 9, 12),
    ether: 0.0004,
    transactions: 212,
    holds: { otter: 12.5, cyrillic: 50_000 },
    approvals: [
      approve('usdc', DRAINER, DRAINED_AT),
      approve('weth', DRAINER, DRAINED_AT + 60_000),
      approve('otter', DRAINER, DRAINED_AT + 120_000),
      approve('usdc', ROUTER, date(2024, 10, 1), unitsOf(2_500, 6)),
    ],
  }),
  makeWallet({ name: 'fresh', since: date(2025, 12, 30), ether: 0.05, transactions: 1, holds: { usdc: 25 } }),
  makeWallet({ name: 'empty', since: date(2025, 12, 31), ether: 0, transactions: 0 }),
  makeWallet({
    name: 'bot',
    since: date(2025, 1, 20),
    ether: 7.2,
    transactions: 1_830_412,
    holds: { weth: 31.5, usdc: 118_000 },
    approvals: [approve('weth', ROUTER, date(2025, 1, 20)), approve('usdc', ROUTER, date(2025, 1, 20))],
  }),
  makeWallet({
    name: 'scam-collector',
    since: date(2024, 7, 7),
    ether: 0.31,
    transactions: 96,
    holds: {
      cyrillic: 1_000_000,
      'zero-width': 5_000,
      prompt: 777_777,
      html: 1_000_000,
      endless: 42,
      backwards: 9_999,
      'lobster-pot': 250_000,
      'honey-cove': 1_200_000,
      sunk: 90_000,
      'anchors-away': 400_000,
    },
  }),
  makeWallet({
    name: 'collector',
    since: date(2023, 8, 9),
    ether: 12.8,
    transactions: 1_455,
    holds: {
      weth: 44,
      cbbtc: 1.75,
      harbor: 21_000,
      lighthouse: 950,
      kelp: 66_000,
      tideway: 3_100,
      otter: 140_000,
      usdc: 38_500,
    },
  }),
  makeWallet({
    name: 'saver',
    since: date(2024, 1, 2),
    ether: 0.4,
    transactions: 61,
    holds: { usdc: 212_000, dockside: 95_000 },
    approvals: [approve('usdc', ROUTER, date(2024, 1, 3), unitsOf(50_000, 6))],
  }),
  makeWallet({
    name: 'gambler',
    since: date(2025, 4, 1),
    ether: 1.1,
    transactions: 4_870,
    holds: {
      pelican: 1_900_000,
      gull: 8_000_000,
      crab: 22_000_000,
      plankton: 900_000_000_000,
      barnacle: 310_000_000,
      fog: 610_000,
    },
    approvals: [approve('pelican', ROUTER, date(2025, 4, 2)), approve('crab', ROUTER, date(2025, 4, 9))],
  }),
  makeWallet({
    name: 'risk-taker',
    since: date(2025, 5, 5),
    ether: 0.6,
    transactions: 730,
    holds: {
      flood: 4_100_000,
      'toll-bridge': 9_000_000,
      masked: 2_000_000,
      leviathan: 300_000,
      sluice: 1_500_000,
      boomerang: 880_000,
    },
  }),
  makeWallet({
    name: 'holder-of-toll',
    since: date(2025, 10, 2),
    ether: 0.9,
    transactions: 44,
    holds: { project: 250_000, usdc: 1_200 },
  }),
  makeWallet({
    name: 'treasury',
    label: 'Harbor: treasury',
    since: date(2023, 9, 4),
    ether: 310,
    transactions: 208,
    holds: { harbor: 160_000_000, usdc: 9_400_000 },
  }),
  makeWallet({
    name: 'market-maker',
    label: 'Ebb Market Making',
    since: date(2024, 2, 29),
    ether: 640,
    transactions: 318_220,
    holds: { weth: 3_900, usdc: 17_000_000, harbor: 1_400_000, otter: 9_000_000, tideway: 400_000 },
  }),
  makeWallet({
    name: 'staker',
    since: date(2024, 2, 14),
    ether: 3.3,
    transactions: 87,
    holds: { 'moored-ether': 410, weth: 2 },
  }),
  makeWallet({
    name: 'small-1',
    since: date(2025, 3, 3),
    ether: 0.012,
    transactions: 19,
    holds: { usdc: 140, otter: 2_200 },
  }),
  makeWallet({
    name: 'small-2',
    since: date(2025, 7, 21),
    ether: 0.003,
    transactions: 33,
    holds: { weth: 0.08, pelican: 40_000 },
  }),
  makeWallet({
    name: 'sleeper',
    since: date(2023, 8, 1),
    ether: 95,
    transactions: 4,
    holds: { weth: 1_250 },
  }),
]

/** What the victim had, since when, and when it was taken. */
export const DRAIN = {
  atMs: DRAINED_AT + 10 * 60_000,
  savedAtMs: DRAINED_AT - 30 * DAY_MS,
  taken: [holding('usdc', 18_400), holding('weth', 3.2), holding('otter', 61_000)],
} as const
