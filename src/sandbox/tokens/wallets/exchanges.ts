import { date, makeWallet, type WalletSpec } from './make-wallet.ts'

export const EXCHANGES: readonly WalletSpec[] = [
  makeWallet({
    name: 'coinbase-1',
    kind: 'exchange',
    label: 'Coinbase: hot wallet 1',
    since: date(2023, 7, 13),
    ether: 18_000,
    transactions: 2_841_007,
    holds: { usdc: 310_000_000, weth: 21_000, cbbtc: 3_400 },
  }),
  makeWallet({
    name: 'coinbase-2',
    kind: 'exchange',
    label: 'Coinbase: hot wallet 2',
    since: date(2024, 1, 5),
    ether: 9_400,
    transactions: 1_202_344,
    holds: { usdc: 180_000_000, weth: 14_000, cbbtc: 2_100 },
  }),
  makeWallet({
    name: 'binance-1',
    kind: 'exchange',
    label: 'Binance: hot wallet 1',
    since: date(2023, 10, 2),
    ether: 12_500,
    transactions: 990_118,
    holds: { usdc: 240_000_000, weth: 17_000, cbbtc: 900 },
  }),
  makeWallet({
    name: 'binance-2',
    kind: 'exchange',
    label: 'Binance: hot wallet 2',
    since: date(2024, 5, 22),
    ether: 4_100,
    transactions: 402_655,
    holds: { usdc: 120_000_000, weth: 9_000, cbbtc: 600 },
  }),
  // The address that the documents show; it makes no large moves.
  makeWallet({
    name: 'bybit-1',
    address: '0xf89d7b9c864f589bbf53a82105107622b35eaa40',
    label: 'Bybit: hot wallet 1',
    since: date(2023, 11, 8),
    ether: 2_300,
    transactions: 611_402,
    holds: { usdc: 46_000_000, weth: 3_100, cbbtc: 210 },
  }),
]
