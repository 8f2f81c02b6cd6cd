import type { Activity } from '../../upstreams/polymarket/account-activity.ts'
import { findMillionths } from './millionths.ts'

/** The venue rounds a fee to five decimals; what is less than half of a step comes from its rounding of prices. */
const FEE_STEP = 10n
const ONE = 1_000_000n

/**
 * The fee within a trade, in millionths: what was paid above shares × price, or received below it. Makers pay none.
 * Undefined where the price is not known.
 */
export function feePaid({ side, shares, usd, price }: Activity): bigint | undefined {
  const [of, at, paid] = [findMillionths(shares), findPrice(price), findMillionths(usd)]
  if (of === undefined || at === undefined || paid === undefined) return undefined
  const notional = (of * at) / (ONE * PRICE_DIGITS)
  const fee = side === 'BUY' ? paid - notional : notional - paid
  return fee > 0n ? FEE_STEP * ((fee + FEE_STEP / 2n) / FEE_STEP) : 0n
}

/** Average prices have ten digits: 0.3200000233. */
const PRICE_DIGITS = 10_000n
function findPrice(price: number | undefined): bigint | undefined {
  if (price === undefined || !(price >= 0 && price <= 1)) return undefined
  return BigInt(Math.round(price * Number(ONE * PRICE_DIGITS)))
}
