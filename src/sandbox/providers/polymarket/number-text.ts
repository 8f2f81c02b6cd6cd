import type { AmountE6, PriceE4, VenueLevel } from '../../prediction/venue.ts'

const WHOLE_E4 = 10_000

/** The division of a whole number is rounded once, so the shortest text of it has the digits of the whole number. */
export const toPrice = (priceE4: PriceE4): number => priceE4 / WHOLE_E4
export const toAmount = (amountE6: AmountE6): number => amountE6 / 1e6
/** As the order book writes it, without zeros at the end: `0.5`. */
export const priceText = (priceE4: PriceE4): string => String(toPrice(priceE4))
export const amountText = (amountE6: AmountE6): string => String(toAmount(amountE6))
/** The price of a market's other token. */
export const otherSide = (priceE4: PriceE4): PriceE4 => WHOLE_E4 - priceE4

/** With three decimals where the book has them, as last trade prices are written. */
export const tradePriceText = (priceE4: PriceE4 | undefined): string =>
  priceE4 === undefined ? '' : toPrice(priceE4).toFixed(3)

/** Half a tick is kept: mids have one digit more than prices. */
export function midOf(bid: VenueLevel | undefined, ask: VenueLevel | undefined): number | undefined {
  if (!bid && !ask) return undefined
  return ((bid?.[0] ?? 0) + (ask?.[0] ?? WHOLE_E4)) / (2 * WHOLE_E4)
}
