import type { Coin } from '../../core/coin.ts'
import type { Part } from '../part.ts'

export const DERIVATIVES_VENUES = ['binance', 'bybit', 'okx', 'hyperliquid'] as const
export type DerivativesVenue = (typeof DERIVATIVES_VENUES)[number]

/** The perpetual future of one coin at one venue. */
export type PerpetualState = {
  /** What longs pay shorts, as a share of the position for eight hours, whatever interval the venue settles in. */
  funding8h: number
  intervalHours: number
  nextFundingMs: number | undefined
  /** One side only, in dollars. */
  openInterestUsd: number
  markPrice: number
}

/** Positions that were closed by force, over a span that ends with the part's own time. */
export type Liquidations = { spanMs: number; longUsd: number; shortUsd: number; count: number }

/** Perpetual futures of the four coins at every venue that we follow. Read from memory. */
export type Derivatives = {
  perpetual(venue: DerivativesVenue, coin: Coin): Part<PerpetualState>
  /** Of the last hour, at the venues that tell of them. */
  liquidations(coin: Coin): Part<Liquidations>
  /** Differs whenever any of them does. */
  version(): unknown
}
