import { collateralE6, DOLLAR_E4, LOT_E6, priceFor } from '../book/amounts.ts'
import type { Plan } from '../book/order-book.ts'
import { type AmountE6, OrderRefused, type VenueMarket, type VenueOrder } from '../venue.ts'

/** Larger orders than any book holds; below it all arithmetic is exact. */
const MAX_ORDER_E6 = 1e13
const MIN_MARKETABLE_BUY_E6 = 1_000_000

/** What can be said without the book. Throws in the venue's words. */
export function checkOrder(order: VenueOrder, market: VenueMarket, nowMs: number): void {
  checkAmounts(order)
  if (market.state === 'resolved' || !market.acceptingOrders || nowMs < market.listedMs)
    throw new OrderRefused('the market is not yet ready to process new orders')
  const { tickE4 } = market
  if (!(order.priceE4 >= tickE4 && order.priceE4 <= DOLLAR_E4 - tickE4))
    throw new OrderRefused(
      `invalid price (${dollars(order.priceE4)}), min: ${dollars(tickE4)} - max: ${dollars(DOLLAR_E4 - tickE4)}`,
    )
  if (order.priceE4 % tickE4 !== 0)
    throw new OrderRefused(
      `order ${order.id} is invalid. Price (${dollars(order.priceE4)}) breaks minimum tick size rule: ${dollars(tickE4)}`,
    )
  if (isLimit(order) && order.sharesE6 < market.minShares)
    throw new OrderRefused(
      `order ${order.id} is invalid. Size (${order.sharesE6 / 1e6}) lower than the minimum: ${market.minShares / 1e6}`,
    )
  if (order.postOnly && !isLimit(order))
    throw new OrderRefused('invalid post-only order: only GTC and GTD order types are allowed')
  const expires = order.expiresMs
  if (order.kind === 'GTD' ? !(expires !== undefined && expires > nowMs) : expires !== undefined)
    throw new OrderRefused('invalid expiration')
}

/** What the book says to it at this moment. Throws in the venue's words. */
export function checkAgainstBook(order: VenueOrder, { matches, isWhole }: Plan): void {
  if (order.postOnly && matches.length > 0)
    throw new OrderRefused('invalid post-only order: order crosses book')
  if (order.kind === 'FOK' && !isWhole)
    throw new OrderRefused("order couldn't be fully filled. FOK orders are fully filled or killed.")
  if (order.kind === 'FAK' && matches.length === 0)
    throw new OrderRefused(
      'no orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.',
    )
  const worthE6 = order.spendE6 ?? collateralE6(order.priceE4, order.sharesE6)
  if (matches.length > 0 && order.side === 'BUY' && worthE6 < MIN_MARKETABLE_BUY_E6)
    throw new OrderRefused(
      `invalid amount for a marketable BUY order ($${worthE6 / 1e6}), min size: $${MIN_MARKETABLE_BUY_E6 / 1e6}`,
    )
}

/** One that may rest in the book. */
export function isLimit({ kind }: VenueOrder): boolean {
  return kind === 'GTC' || kind === 'GTD'
}

/** The order's limit as a price of the first token. */
export function limitOf(order: VenueOrder, token: 0 | 1): number {
  return priceFor(token, order.priceE4)
}

function checkAmounts(order: VenueOrder): void {
  const isAmount = (value: AmountE6) => Number.isSafeInteger(value) && value > 0 && value <= MAX_ORDER_E6
  const { spendE6 } = order
  if (!isAmount(order.sharesE6) || (spendE6 !== undefined && !isAmount(spendE6)))
    throw new OrderRefused('Invalid order payload')
  if (spendE6 !== undefined) {
    if (order.side !== 'BUY' || isLimit(order)) throw new OrderRefused('Invalid order payload')
  } else if (order.sharesE6 % LOT_E6 !== 0)
    throw new OrderRefused('invalid amounts, the size of an order supports a max accuracy of 2 decimals')
}

const dollars = (priceE4: number): string => String(priceE4 / DOLLAR_E4)
