import type { OrderSide } from './exchange-order.ts'

/** Prices in ten-thousandths, amounts in millionths. `spendE6` is for market orders that buy. */
export type OrderSize = { sharesE6: bigint } | { spendE6: bigint }
/** FOK and FAK are market orders: they take at once or not at all. */
export type OrderKind = 'GTC' | 'GTD' | 'FOK' | 'FAK'
export type Amounts = { makerAmount: bigint; takerAmount: bigint }

type Terms = { side: OrderSide; kind: OrderKind; priceE4: number; tickE4: number; size: OrderSize }

const ONE_E4 = 10_000n
/** Shares that are asked for, and dollars that are spent, have two decimals. */
const CENT = 10_000n
const CENT_E4 = 100
/** At a tick of ten cents the venue takes three decimals of what is got for dollars. */
const COARSE_TICK_E4 = 1_000
const COARSE = 1_000n

/**
 * What is signed for a price and a size. The tick says only whether they are allowed: the amounts make the id of an
 * order, and a tick that changes between two tries must not make two orders of one. Throws where the venue would
 * refuse them for their decimals.
 */
export function toAmounts({ side, kind, priceE4, tickE4, size }: Terms): Amounts {
  checkPrice(priceE4, tickE4)
  const price = BigInt(priceE4)
  const isMarket = kind === 'FOK' || kind === 'FAK'
  if ('spendE6' in size) {
    if (side !== 'BUY' || !isMarket) throw new RangeError('only a market purchase spends')
    checkCents(size.spendE6)
    // Floors: fewer shares are asked for than the price allows, so that it is not missed by rounding.
    const shares = (size.spendE6 * ONE_E4) / price
    const takerAmount = shares - (shares % unitAt(priceE4))
    if (tickE4 >= COARSE_TICK_E4 && takerAmount % COARSE !== 0n)
      throw new RangeError(`${size.spendE6} millionths buy no whole thousandths of a share`)
    return { makerAmount: size.spendE6, takerAmount }
  }
  checkCents(size.sharesE6)
  const dollars = (size.sharesE6 * price) / ONE_E4
  if (side === 'SELL') return { makerAmount: size.sharesE6, takerAmount: dollars }
  // A market purchase is of dollars; by shares it is taken only where they cost whole cents.
  if (isMarket) checkCents(dollars)
  return { makerAmount: dollars, takerAmount: size.sharesE6 }
}

/** Four decimals are taken at a tick of a cent, five at the finer ones, which a price between two cents has. */
const unitAt = (priceE4: number) => (priceE4 % CENT_E4 === 0 ? 100n : 10n)

function checkPrice(priceE4: number, tickE4: number): void {
  if (!Number.isInteger(tickE4) || tickE4 <= 0) throw new RangeError(`${tickE4 / 1e4} is no tick`)
  const isPrice = Number.isInteger(priceE4) && priceE4 >= tickE4 && priceE4 <= 10_000 - tickE4
  if (!isPrice || priceE4 % tickE4 !== 0) throw new RangeError(`${priceE4 / 1e4} is no price of this market`)
}

function checkCents(amount: bigint): void {
  if (amount <= 0n || amount % CENT !== 0n)
    throw new RangeError(`${amount} millionths are not whole hundredths`)
}
