import type { TakerFee } from '../../upstreams/polymarket/five-minute-market.ts'
import { divideHalfUp, findMillionths } from './millionths.ts'

const ONE = 1_000_000n
/** The venue rounds a fee to five decimals; a step is ten millionths. */
const FEE_STEP = 10n
/** The venue has used 1 and 2. */
const EXPONENT_MAX = 8

/**
 * What a taker pays for one fill, in millionths: shares × rate × (price × (1 − price)) ^ exponent, to five decimals.
 * Undefined where price or fee are no such things.
 */
export function feeOf(fee: TakerFee | undefined, price: bigint, shares: bigint): bigint | undefined {
  if (price < 0n || price > ONE || shares < 0n) return undefined
  if (fee === undefined) return 0n
  const { rate, exponent } = fee
  const rateOfOne = rate <= 1 ? findMillionths(rate) : undefined
  if (rateOfOne === undefined || !Number.isInteger(exponent) || exponent < 0 || exponent > EXPONENT_MAX)
    return undefined
  const power = BigInt(exponent)
  const over = shares * rateOfOne * (price * (ONE - price)) ** power
  const under = ONE * (ONE * ONE) ** power
  return FEE_STEP * divideHalfUp(over, under * FEE_STEP)
}
