import type { Coin } from '../../core/coin.ts'
import type { SimVenue } from './instrument.ts'

export type Side = 'buy' | 'sell'

/**
 * What one taker order filled at one price. On `binance` it is an aggregate trade of one or more fills whose
 * trade ids run from `firstTradeId`; on `coinbase` it has exactly one fill and `id` is the trade id.
 */
export type SimTrade = {
  venue: SimVenue
  coin: Coin
  id: number
  firstTradeId: number
  fillLots: readonly number[]
  priceTicks: number
  lots: number
  /** The taker's. */
  side: Side
  atMs: number
}

/** A price level of a book. Size 0 in a diff removes it. */
export type SimLevel = readonly [ticks: number, lots: number]

/** Best first on both sides. `updateId` is that of the last change. */
export type SimBook = {
  venue: SimVenue
  coin: Coin
  bids: readonly SimLevel[]
  asks: readonly SimLevel[]
  updateId: number
  atMs: number
}

/** Changes `firstUpdateId` to `lastUpdateId`: the next diff of the pair starts right after. */
export type SimBookDiff = {
  venue: SimVenue
  coin: Coin
  bids: readonly SimLevel[]
  asks: readonly SimLevel[]
  firstUpdateId: number
  lastUpdateId: number
  atMs: number
}

/** The oracle's prices of a whole second, published at `publishedMs`. */
export type SimOracleTick = {
  coin: Coin
  atMs: number
  publishedMs: number
  spotUsd: number
  twap60Usd: number
}

export type SimFunding = {
  coin: Coin
  atMs: number
  markPrice: number
  indexPrice: number
  /** Estimate for the current eight hours, per eight hours. */
  rate: number
  nextFundingMs: number
  openInterest: number
}

/** `side` is that of the liquidation order: `sell` closes a long position. */
export type SimLiquidation = { coin: Coin; side: Side; price: number; size: number; atMs: number }

/** `taker…` is the part that taker buy orders filled. `…Lots` are in lots, `quote` amounts in quote currency. */
export type SimCandle = {
  openMs: number
  openTicks: number
  highTicks: number
  lowTicks: number
  closeTicks: number
  lots: number
  takerLots: number
  quote: number
  takerQuote: number
  trades: number
  firstTradeId: number
  lastTradeId: number
}
