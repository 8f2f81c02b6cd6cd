import type { OrderSide } from '../../../ledger/ports/bot-book.ts'
import { feeOf } from '../../../market/prediction/fee.ts'
import type { TakerFee } from '../../../upstreams/polymarket/five-minute-market.ts'

/** A level as an order meets it: what is there, less what was taken of it. */
export type Offered = { priceE4: number; sharesE6: bigint }
/** What is taken of one level; the fee is beside the notional. */
export type Take = { priceE4: number; sharesE6: bigint; notionalE6: bigint; feeE6: bigint }
export type Wanted = {
  side: OrderSide
  limitE4: number
  /** Of a purchase. */
  spendE6: bigint | undefined
  /** Of a sale. */
  sharesE6: bigint | undefined
  /** What a purchase costs at most, with fees. */
  cashE6: bigint
}

/** Shares are traded in hundredths, so that price times shares is a whole number of millionths at every tick. */
export const LOT_E6 = 10_000n
/** From ten-thousandths to millionths. */
export const E4_TO_E6 = 100n

/**
 * Takes the levels, best first, as far as limit, size and cash allow. Undefined where the fee cannot be worked out.
 * Everything rounds down: to whole lots, and to what can be paid.
 */
export function walkBook(
  levels: readonly Offered[],
  wanted: Wanted,
  fee: TakerFee | undefined,
): readonly Take[] | undefined {
  const isBuy = wanted.side === 'BUY'
  const takes: Take[] = []
  let { spendE6 = 0n, sharesE6: unsoldE6 = 0n, cashE6 } = wanted
  for (const { priceE4, sharesE6: offeredE6 } of levels) {
    if (isBuy ? priceE4 > wanted.limitE4 : priceE4 < wanted.limitE4) break
    const price = BigInt(priceE4)
    const mostE6 = isBuy ? (spendE6 / price) * LOT_E6 : toLots(unsoldE6)
    const payable = findPayable(price, min(mostE6, toLots(offeredE6)), isBuy ? cashE6 : undefined, fee)
    if (!payable) return undefined
    if (payable.sharesE6 > 0n) takes.push({ priceE4, ...payable })
    spendE6 -= payable.notionalE6
    cashE6 -= payable.notionalE6 + payable.feeE6
    unsoldE6 -= payable.sharesE6
    // What is left buys or sells less than a lot here, and no more at a worse price.
    if (payable.sharesE6 < toLots(offeredE6)) break
  }
  return takes
}

/** The most of the shares that the cash pays for, fee included. */
function findPayable(
  price: bigint,
  wantedE6: bigint,
  cashE6: bigint | undefined,
  fee: TakerFee | undefined,
): Omit<Take, 'priceE4'> | undefined {
  const at = (sharesE6: bigint) => {
    const feeE6 = feeOf(fee, price * E4_TO_E6, sharesE6)
    return feeE6 === undefined ? undefined : { sharesE6, notionalE6: (sharesE6 / LOT_E6) * price, feeE6 }
  }
  const whole = at(wantedE6)
  if (!whole || cashE6 === undefined || whole.notionalE6 + whole.feeE6 <= cashE6) return whole
  // The cost never falls with the number of lots, so the last one that can be paid is found by halving.
  let [low, high] = [0n, wantedE6 / LOT_E6]
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    const some = at(middle * LOT_E6)
    if (some && some.notionalE6 + some.feeE6 <= cashE6) low = middle
    else high = middle
  }
  return at(low * LOT_E6)
}

const toLots = (sharesE6: bigint) => sharesE6 - (sharesE6 % LOT_E6)
const min = (a: bigint, b: bigint) => (a < b ? a : b)
