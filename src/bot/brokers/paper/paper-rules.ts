import type { Clock } from '../../../core/time/clock.ts'
import { findTickE4 } from '../../../feeds/prediction/book/token-levels.ts'
import type { FiveMinuteFeed, WindowMarket } from '../../../feeds/prediction/five-minute-markets.ts'
import type { PlannedOrder } from '../../../ledger/ports/bot-book.ts'
import { isFeeKnown } from '../../../market/prediction/fee.ts'
import { toAmounts } from '../../../upstreams/polymarket/trading/order-amounts.ts'
import { toTradeOrder } from '../trade-order.ts'
import type { Facing } from './taken-levels.ts'

export type PaperMarkets = Pick<FiveMinuteFeed, 'open' | 'missing'>
/** The market that an order is for, with the side of the book that it takes from, or why it is not taken. */
export type Found = { market: WindowMarket['market']; facing: Facing } | { refusal: string }

/** An older book does not say what is there now. */
export const MAX_BOOK_AGE_MS = 5_000
/** Of a purchase that takes, as the venue has it. */
const MIN_SPEND_E6 = 1_000_000n

/** What the venue would say to the order before it looks for someone to match it with. */
export function findMarket(markets: PaperMarkets, clock: Clock, order: PlannedOrder): Found {
  const open = markets.open(order.coin)
  if (!open) return { refusal: markets.missing(order.coin) }
  const { market } = open
  if (market.conditionId !== order.conditionId)
    return { refusal: `${market.slug} is open now, and the order is for another window` }
  if (!market.acceptingOrders || market.closed) return { refusal: `${market.slug} takes no orders` }
  const ageMs = clock.now() - open.asOfMs
  if (ageMs > MAX_BOOK_AGE_MS) return { refusal: `the order book of ${market.slug} is ${ageMs} ms old` }
  const book = [open.up, open.down].find(({ tokenId }) => tokenId === order.tokenId)
  if (!book) return { refusal: `${market.slug} has no such token` }
  const refusal = whyBadTerms(market, order)
  if (refusal) return { refusal }
  const { tokenId, side } = order
  return { market, facing: { tokenId, side, levels: side === 'BUY' ? book.asks : book.bids } }
}

function whyBadTerms(
  { tickSize, fee, slug }: WindowMarket['market'],
  order: PlannedOrder,
): string | undefined {
  const tickE4 = findTickE4(tickSize)
  if (tickE4 === undefined || !isFeeKnown(fee)) return `tick or fee of ${slug} are not known`
  if (order.side === 'BUY' && (order.spendE6 ?? 0n) < MIN_SPEND_E6) return 'a purchase is of 1 USD or more'
  try {
    toAmounts({ ...toTradeOrder(order), tickE4 })
    return undefined
  } catch (error) {
    if (error instanceof RangeError) return error.message
    throw error
  }
}
