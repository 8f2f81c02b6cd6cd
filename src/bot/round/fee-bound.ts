import { feeOf } from '../../market/prediction/fee.ts'
import { divideUp } from '../../market/prediction/millionths.ts'
import type { TakerFee } from '../../upstreams/polymarket/five-minute-market.ts'
import { toPriceE6 } from './limit-price.ts'

/** What the fee of a purchase is at most, at any price from the tick to the limit. Amounts in millionths. */
export type FeeBound = {
  /** Rounds up. */
  maxFeeE6(spendE6: bigint): bigint
  /** The most that can be spent so that it and its fee are within `cashE6`. Floors; never below 0. */
  spendWithin(cashE6: bigint): bigint
}

const ONE = 1_000_000n
const MANY_SHARES = 1_000_000n * ONE
/** Fees per dollar in these digits. */
const E12 = 1_000_000_000_000n
/** The venue rounds the fee of each fill to five decimals; more fills than this have no order of a few dollars. */
const MAX_FILLS = 100n
const HALF_STEP = 5n
const ROUNDING = MAX_FILLS * HALF_STEP

/**
 * An order that spends gets more shares where the price is better than its limit, and cheap shares have the larger fee
 * for a dollar: 0.07 × (1 − price). So the fee at the limit is not the most. Undefined where no fee can be worked out.
 */
export function findFeeBound(
  fee: TakerFee | undefined,
  { tickE4, limitE4 }: { tickE4: number; limitE4: number },
): FeeBound | undefined {
  if (fee === undefined) return { maxFeeE6: () => 0n, spendWithin: (cashE6) => atLeast0(cashE6) }
  const priceE6 = dearestE6(fee.exponent, toPriceE6(tickE4), toPriceE6(limitE4))
  const feeE6 = feeOf(fee, priceE6, MANY_SHARES)
  if (feeE6 === undefined) return undefined
  const perDollar = divideUp(feeE6 * E12, (MANY_SHARES / ONE) * priceE6)
  return {
    maxFeeE6: (spendE6) => divideUp(spendE6 * perDollar, E12) + ROUNDING,
    // One less, for the rounding up above.
    spendWithin: (cashE6) => (atLeast0(cashE6 - ROUNDING - 1n) * E12) / (E12 + perDollar),
  }
}

/**
 * Where price ^ (exponent − 1) × (1 − price) ^ exponent is largest: it falls throughout for exponents up to 1, and has
 * one summit for larger ones.
 */
function dearestE6(exponent: number, fromE6: bigint, toE6: bigint): bigint {
  if (!(exponent > 1 && Number.isFinite(exponent))) return fromE6
  const summitE6 = BigInt(Math.round(((exponent - 1) / (2 * exponent - 1)) * Number(ONE)))
  return summitE6 < fromE6 ? fromE6 : summitE6 > toE6 ? toE6 : summitE6
}

const atLeast0 = (amount: bigint) => (amount > 0n ? amount : 0n)
