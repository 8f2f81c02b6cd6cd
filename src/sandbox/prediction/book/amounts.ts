import type { AmountE6, PriceE4 } from '../venue.ts'

/** A dollar in `PriceE4`: the two tokens of a market are worth this much together. */
export const DOLLAR_E4 = 10_000
/** Shares are traded in hundredths, so that price times shares is a whole number of millionths at every tick. */
export const LOT_E6 = 10_000

/** What shares cost, without the fee: exact for whole lots. */
export function collateralE6(priceE4: PriceE4, sharesE6: AmountE6): AmountE6 {
  return (sharesE6 / LOT_E6) * priceE4
}

/** The most shares, in whole lots, that money buys at a price. */
export function affordableE6(spendE6: AmountE6, priceE4: PriceE4): AmountE6 {
  return Math.floor(spendE6 / priceE4) * LOT_E6
}

/** The price of the other token, or of this one seen from the other. */
export function priceFor(token: 0 | 1, firstE4: PriceE4): PriceE4 {
  return token === 0 ? firstE4 : DOLLAR_E4 - firstE4
}

/** Of the price times one minus the price. */
export const FEE_RATE = 0.07
const FEE_PERCENT = 7n

/** What a taker pays: shares × 0.07 × price × (1 − price), rounded to five decimals of a dollar. */
export function takerFeeE6(priceE4: PriceE4, sharesE6: AmountE6): AmountE6 {
  const numerator = BigInt(sharesE6) * FEE_PERCENT * BigInt(priceE4) * BigInt(DOLLAR_E4 - priceE4)
  return Number((2n * numerator + FEE_DENOMINATOR) / (2n * FEE_DENOMINATOR)) * FEE_STEP_E6 // half up
}

const FEE_STEP_E6 = 10
// Percent, two prices in ten-thousandths, and the step.
const FEE_DENOMINATOR = 100n * 10_000n * 10_000n * BigInt(FEE_STEP_E6)
