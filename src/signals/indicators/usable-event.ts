import type { Book, Trade } from '../../feeds/events.ts'

/** More than the supply of any coin, and far below where sums of sizes overflow. */
const MAX_SIZE = 1e18

/** Far beyond the prices of our coins; squares and ratios of prices between them stay finite. */
const [MIN_PRICE, MAX_PRICE] = [1e-12, 1e12]

export function isUsablePrice(price: number): boolean {
  return price > MIN_PRICE && price < MAX_PRICE
}

export function isUsableSize(size: number): boolean {
  return size > 0 && size < MAX_SIZE
}

/** Feeds pass on nothing else. One bad value would stay in a decayed sum, so this checks again. */
export function isUsableTrade({ price, size, atMs }: Trade): boolean {
  return isUsablePrice(price) && isUsableSize(size) && Number.isFinite(atMs)
}

/** Checks the best level of both sides; deeper levels are checked where they are summed. */
export function isUsableBook({ bids, asks, atMs }: Book): boolean {
  const bid = bids[0]
  const ask = asks[0]
  return (
    bid !== undefined &&
    ask !== undefined &&
    isUsablePrice(bid[0]) &&
    isUsablePrice(ask[0]) &&
    bid[0] < ask[0] &&
    isUsableSize(bid[1]) &&
    isUsableSize(ask[1]) &&
    Number.isFinite(atMs)
  )
}
