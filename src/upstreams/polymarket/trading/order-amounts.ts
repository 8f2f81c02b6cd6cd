import type { OrderSide } from './exchange-order.ts'

/** Prices in ten-thousandths, amounts in millionths. `spend` is for market orders that buy. */
export type OrderSize = { shares: bigint } | { spend: bigint }
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
  if ('spend' in size) {
    if (side !== 'BUY') throw new RangeError('only a purchase spends')
    checkCents(size.spend)
    const fine = tickE4 < 100 ? 10n : 100n
    // Floors: fewer shares are asked for than the price allows, so that it is not missed by rounding.
    const shares = (size.spend * ONE_E4) / price
    return { makerAmount: size.spend, takerAmount: shares - (shares % fine) }
  }
  checkCents(size.shares)
  const dollars = (size.shares * price) / ONE_E4
  return side === 'BUY'
    ? { makerAmount: dollars, takerAmount: size.shares }
    : { makerAmount: size.shares, takerAmount: dollars }
}

function checkCents(amount: bigint): void {
  if (amount <= 0n || amount % CENT !== 0n)
    throw new RangeError(`${amount} millionths are not whole hundredths`)
}
