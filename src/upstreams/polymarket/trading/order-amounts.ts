import type { OrderSide } from './exchange-order.ts'

/** Prices in ten-thousandths, amounts in millionths. `spendE6` is for market orders that buy. */
export type OrderSize = { sharesE6: bigint } | { spendE6: bigint }
export type Amounts = { makerAmount: bigint; takerAmount: bigint }

type Terms = { side: OrderSide; priceE4: number; tickE4: number; size: OrderSize }

const ONE_E4 = 10_000n
/** Shares that are asked for, and dollars that are spent, have two decimals. */
const CENT = 10_000n

/** What is signed for a price and a size. Throws where the venue would refuse them for their decimals. */
export function toAmounts({ side, priceE4, tickE4, size }: Terms): Amounts {
  const isPrice = Number.isInteger(priceE4) && priceE4 >= tickE4 && priceE4 <= 10_000 - tickE4
  if (!isPrice || priceE4 % tickE4 !== 0) throw new RangeError(`${priceE4 / 1e4} is no price of this market`)
  const price = BigInt(priceE4)
  if ('spendE6' in size) {
    if (side !== 'BUY') throw new RangeError('only a purchase spends')
    checkCents(size.spendE6)
    const fine = tickE4 < 100 ? 10n : 100n
    // Floors: fewer shares are asked for than the price allows, so that it is not missed by rounding.
    const shares = (size.spendE6 * ONE_E4) / price
    return { makerAmount: size.spendE6, takerAmount: shares - (shares % fine) }
  }
  checkCents(size.sharesE6)
  const dollars = (size.sharesE6 * price) / ONE_E4
  return side === 'BUY'
    ? { makerAmount: dollars, takerAmount: size.sharesE6 }
    : { makerAmount: size.sharesE6, takerAmount: dollars }
}

function checkCents(amount: bigint): void {
  if (amount <= 0n || amount % CENT !== 0n)
    throw new RangeError(`${amount} millionths are not whole hundredths`)
}
