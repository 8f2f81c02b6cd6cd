import { feeOf } from '../../market/prediction/fee.ts'
import { divideUp } from '../../market/prediction/millionths.ts'
import type { TakerFee } from '../../upstreams/polymarket/five-minute-market.ts'

const E6_PER_E4 = 100n
/** Above the best ask: what the book may move while an order is under way. */
const MAX_SLIPPAGE_E4 = 100
/** What a share must be worth to us above its cost at the worst price that we take. */
export const MIN_EDGE_E6 = 10_000n
export const MIN_PRICE_E4 = 100
export const MAX_PRICE_E4 = 9_900

type Ask = {
  /** On the tick. */
  askE4: number
  tickE4: number
  fee: TakerFee | undefined
  /** Undefined: the price is not compared with what the share is worth to us. */
  probabilityE6: bigint | undefined
}

/**
 * The highest price that is paid: the best ask and at most a cent more, as long as a share costs less after its fee
 * than our probability less the minimum edge. Undefined where even the best ask is too dear.
 */
export function limitPriceE4({ askE4, tickE4, fee, probabilityE6 }: Ask): number | undefined {
  const highestE4 = Math.min(askE4 + MAX_SLIPPAGE_E4, MAX_PRICE_E4)
  let limitE4: number | undefined
  // Upwards, since the cost of a share need not rise with its price: every price up to the limit has to be good.
  for (let priceE4 = askE4; priceE4 <= highestE4; priceE4 += tickE4) {
    if (probabilityE6 !== undefined && !isWorthIt(fee, priceE4, probabilityE6)) break
    limitE4 = priceE4
  }
  return limitE4
}

const isWorthIt = (fee: TakerFee | undefined, priceE4: number, probabilityE6: bigint) => {
  const costE6 = findCostE6(fee, priceE4)
  return costE6 !== undefined && costE6 + MIN_EDGE_E6 <= probabilityE6
}

const ONE = 1_000_000n
/** The venue rounds the fee of a fill; that of so many shares has all digits that a price can have. */
const MANY_SHARES = 1_000_000n

/** What one share costs after its fee. Rounds up. Undefined where the fee cannot be worked out. */
export function findCostE6(fee: TakerFee | undefined, priceE4: number): bigint | undefined {
  const priceE6 = toPriceE6(priceE4)
  const feeE6 = feeOf(fee, priceE6, MANY_SHARES * ONE)
  return feeE6 === undefined ? undefined : priceE6 + divideUp(feeE6, MANY_SHARES)
}

export const toPriceE6 = (priceE4: number): bigint => BigInt(priceE4) * E6_PER_E4
