import type { PlannedOrder } from '../../ledger/ports/bot-book.ts'
import type { TradeOrder } from '../../upstreams/polymarket/trading/trading.ts'

/** What is signed for a planned order. It takes at once or not at all. Throws where its size is not given once. */
export function toTradeOrder(order: PlannedOrder): TradeOrder {
  const { clientOrderId, createdMs, tokenId, side, priceE4, tickE4, spendE6, sharesE6 } = order
  const size = side === 'BUY' ? spendE6 && { spendE6 } : sharesE6 && { sharesE6 }
  if (!size || (spendE6 !== undefined && sharesE6 !== undefined))
    throw new RangeError('a purchase is of dollars, a sale of shares')
  return { clientOrderId, createdMs, tokenId, side, kind: 'FAK', priceE4, tickE4, size }
}
