import type { TokenBook } from '../../upstreams/polymarket/token-book.ts'
import { findOurTickE4 } from '../round/tradable.ts'

/** What a sale gives up to be taken at once. */
const BELOW_MID_E4 = 400
/** Nothing is sold for less than a cent. */
const LOWEST_E4 = 100

/** The midpoint less four cents, on the tick and at least one. Floors. Undefined where a side of the book is empty. */
export function priceBelowMidE4(
  { bids: [bid], asks: [ask] }: Pick<TokenBook, 'bids' | 'asks'>,
  tickSize: number,
): number | undefined {
  const tickE4 = findOurTickE4(tickSize)
  if (!bid || !ask || tickE4 === undefined) return undefined
  const midE4 = Math.round((bid[0] + ask[0]) * 5_000 * 1e6) / 1e6
  return Math.max(tickE4, Math.floor((midE4 - BELOW_MID_E4) / tickE4) * tickE4)
}

/** Every tick that we trade divides a cent, so that a cent is a price. */
export const lowestPriceE4 = (): number => LOWEST_E4
