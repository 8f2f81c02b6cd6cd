import type { TakerFee } from '../../upstreams/polymarket/five-minute-market.ts'
import { divideHalfUp, divideUp, findMillionths } from './millionths.ts'

const ONE = 1_000_000n
/** The venue rounds a fee to five decimals; a step is ten millionths. */
const FEE_STEP = 10n
/** The venue has used 1 and 2. */
const EXPONENT_MAX = 8

/**
 * What a taker pays for one fill, in millionths: shares × rate × (price × (1 − price)) ^ exponent, to five decimals.
 * Undefined where price or fee are no such things. Rounded up where the exponent is not whole.
 */
export function feeOf(fee: TakerFee | undefined, price: bigint, shares: bigint): bigint | undefined {
  if (price < 0n || price > ONE || shares < 0n) return undefined
  if (fee === undefined) return 0n
  const { rate, exponent } = fee
  const rateOfOne = rate <= 1 ? findMillionths(rate) : undefined
  if (rateOfOne === undefined || !(exponent >= 0 && exponent <= EXPONENT_MAX)) return undefined
  if (!Number.isInteger(exponent)) return FEE_STEP * stepsUp(shares * rateOfOne, price, exponent)
  const power = BigInt(exponent)
  const over = shares * rateOfOne * (price * (ONE - price)) ** power
  const under = ONE * (ONE * ONE) ** power
  return FEE_STEP * divideHalfUp(over, under * FEE_STEP)
}

const POWER_DIGITS = 1_000_000_000_000n

/** Such a power is no fraction of whole numbers: it is rounded up at twelve digits, and the fee at its step. */
function stepsUp(sharesTimesRate: bigint, price: bigint, exponent: number): bigint {
  const power = (Number(price * (ONE - price)) / Number(ONE * ONE)) ** exponent
  const digits = BigInt(Math.ceil(power * Number(POWER_DIGITS)))
  return divideUp(sharesTimesRate * digits, ONE * POWER_DIGITS * FEE_STEP)
}

/** Whether a fee as the venue states it can be worked out. */
export const isFeeKnown = (fee: TakerFee | undefined): boolean => feeOf(fee, ONE / 2n, ONE) !== undefined
