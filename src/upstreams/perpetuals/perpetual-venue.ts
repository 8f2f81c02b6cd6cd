import type { Coin } from '../../core/coin.ts'

/** The perpetual future of one coin as its venue tells of it. */
export type VenuePerpetual = {
  /** What longs pay shorts for one interval, as a share of the position. */
  fundingRate: number
  intervalHours: number
  nextFundingMs: number | undefined
  markPrice: number
  /** One side only, in coins and in dollars. */
  openInterest: number
  openInterestUsd: number
  volume24hUsd: number | undefined
}

/** A rate that was settled at `atMs`. */
export type SettledFunding = { atMs: number; rate: number }
/** One side only, in coins. */
export type PastOpenInterest = { atMs: number; openInterest: number }

/** What we ask every venue for. */
export type PerpetualVenue = {
  /** Of our coins those that the venue told of. */
  perpetuals(): Promise<ReadonlyMap<Coin, VenuePerpetual>>
  /** The settled rates of at least the last `days` days, in any order. */
  settledFundings(coin: Coin, days: number): Promise<readonly SettledFunding[]>
  /** By the hour, over a little more than a day, in any order; undefined where the venue does not tell. */
  pastOpenInterest?(coin: Coin): Promise<readonly PastOpenInterest[]>
}
