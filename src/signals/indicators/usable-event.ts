import type { Book, Trade } from '../../feeds/events.ts'

/** More than there is of any coin, and far below where sums of sizes overflow. */
const MAX_SIZE = 1e18

/** No coin of ours comes near either end, and squares and ratios between them stay finite. */
const [MIN_PRICE, MAX_PRICE] = [1e-12, 1e12]

export function isUsablePrice(price: number): boolean {
  return price > MIN_PRICE && price < MAX_PRICE
}

export function isUsableSize(size: number): boolean {
  return size > 0 && size < MAX_SIZE
}

/** Feeds hand on nothing else; this keeps a mistake there from living on in a decayed sum. */
export function isUsableTrade({ price, size, atMs }: Trade): boolean {
  return isUsablePrice(price) && isUsableSize(size) && Number.isFinite(atMs)
}

/** Of the best level on both sides; what lies deeper is looked at where it is summed. */
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
