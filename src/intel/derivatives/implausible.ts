import type { Coin } from '../../core/coin.ts'
import type { PerpetualState } from './derivatives.ts'
import { medianOf } from './median.ts'

/** Perpetual and spot differ by a few percent on the wildest days. */
const MOST_PRICE_OFF = 0.2
/** Four hundred times the usual rate. */
const MOST_FUNDING_8H = 0.04
/** A hundred times the usual rate: so far from every other venue none of these coins is. */
const MOST_FUNDING_APART_8H = 0.01
/** Some times what the largest venue has open. */
const MOST_OPEN_USD: Readonly<Record<Coin, number>> = { BTC: 5e10, ETH: 3e10, SOL: 1e10, XRP: 1e10 }
/** The largest venue has two to four times what a middling one has. */
const MOST_TIMES_OTHERS = 10
/** With fewer others nobody can say who is in error. */
const MIN_OTHERS = 2

type Surroundings = {
  coin: Coin
  /** What the coin costs elsewhere. */
  price: number
  /** What the other venues tell now. */
  others: readonly Pick<PerpetualState, 'funding8h' | 'openInterestUsd'>[]
}

/** Why the figures of a venue cannot be; undefined where they can. */
export function findImplausible(
  { markPrice, funding8h, openInterestUsd }: PerpetualState,
  { coin, price, others }: Surroundings,
): string | undefined {
  if (Math.abs(markPrice / price - 1) > MOST_PRICE_OFF) return 'its price is too far from the market'
  if (Math.abs(funding8h) > MOST_FUNDING_8H) return 'its funding rate is too high to be true'
  if (openInterestUsd > MOST_OPEN_USD[coin]) return 'its open interest is too high to be true'
  if (others.length < MIN_OTHERS) return undefined
  if (openInterestUsd > MOST_TIMES_OTHERS * medianOf(others.map((other) => other.openInterestUsd)))
    return 'its open interest is too far above the other venues'
  return others.every((other) => Math.abs(funding8h - other.funding8h) > MOST_FUNDING_APART_8H)
    ? 'its funding rate is too far from every other venue'
    : undefined
}
