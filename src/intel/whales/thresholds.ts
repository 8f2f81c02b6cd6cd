import type { Coin } from '../../core/coin.ts'

/**
 * From these amounts on a trade is large: about one order in 800 on Binance, where ten minutes of single trades were
 * counted for BTC and ETH. SOL and XRP have half the turnover of ETH, so half its amount.
 */
export const LARGE_TRADE_USD: Readonly<Record<Coin, number>> = {
  BTC: 250_000,
  ETH: 100_000,
  SOL: 50_000,
  XRP: 50_000,
}

export const WATCHED_TOKENS = ['BTC', 'USDC', 'WETH', 'cbBTC'] as const
export type WatchedToken = (typeof WATCHED_TOKENS)[number]

/**
 * From these amounts on a transfer is large. Moving money costs nothing near as much as trading it, so the amounts are
 * higher; they are set by hand, and lower on Base, which carries less than Bitcoin.
 */
export const LARGE_TRANSFER_USD: Readonly<Record<WatchedToken, number>> = {
  BTC: 1_000_000,
  USDC: 500_000,
  WETH: 500_000,
  cbBTC: 500_000,
}
