import { date, makeWallet, type WalletSpec } from './make-wallet.ts'

export const WHALES: readonly WalletSpec[] = [
  makeWallet({
    name: 'whale-1',
    kind: 'whale',
    since: date(2023, 8, 10),
    ether: 420,
    transactions: 3_120,
    holds: { usdc: 64_000_000, weth: 11_000, cbbtc: 420, harbor: 9_000_000 },
  }),
  makeWallet({
    name: 'whale-2',
    kind: 'whale',
    since: date(2023, 9, 1),
    ether: 1_900,
    transactions: 880,
    holds: { usdc: 28_000_000, weth: 8_400, lighthouse: 310_000 },
  }),
  makeWallet({
    name: 'whale-3',
    kind: 'whale',
    since: date(2024, 2, 3),
    ether: 88,
    transactions: 6_410,
    holds: { usdc: 41_000_000, cbbtc: 650, otter: 22_000_000, pelican: 31_000_000 },
  }),
  makeWallet({
    name: 'whale-4',
    kind: 'whale',
    since: date(2024, 3, 30),
    ether: 240,
    transactions: 1_344,
    holds: { usdc: 19_000_000, weth: 5_200, kelp: 26_000_000, tideway: 2_600_000 },
  }),
  makeWallet({
    name: 'whale-5',
    kind: 'whale',
    since: date(2024, 11, 19),
    ether: 61,
    transactions: 512,
    holds: { usdc: 33_000_000, cbbtc: 310, gull: 320_000_000 },
  }),
  makeWallet({
    name: 'whale-6',
    kind: 'whale',
    label: 'Breakwater Capital',
    since: date(2024, 6, 18),
    ether: 3_300,
    transactions: 9_870,
    holds: { usdc: 88_000_000, weth: 16_000, cbbtc: 880, harbor: 5_500_000, crane: 3_900_000 },
  }),
]
