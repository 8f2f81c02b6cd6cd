import { createHash } from 'node:crypto'
import type {
  OrderView,
  Placement,
  TradeOrder,
  TradeView,
} from '../../../src/upstreams/polymarket/trading/trading.ts'
import type { VenueOrder, VenueTrade } from './matching.ts'

export const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/** The same terms and time are the same order. */
export function idOf({ clientOrderId, createdMs, tokenId, side, priceE4, size }: TradeOrder): string {
  const amount = 'spendE6' in size ? `spend ${size.spendE6}` : `shares ${size.sharesE6}`
  return `0x${digest([clientOrderId, createdMs, tokenId, side, priceE4, amount].join(' '))}`
}

export const toPlacement = ({ orderId, state, trades }: VenueOrder): Placement => ({
  state,
  orderId,
  makingE6: undefined,
  takingE6: undefined,
  tradeIds: trades.map(({ tradeId }) => tradeId),
  transactionHashes: [],
})

export const toView = ({ orderId, state, terms, market, trades }: VenueOrder): OrderView => ({
  orderId,
  state,
  tokenId: terms.tokenId,
  conditionId: market.market.conditionId,
  side: terms.side,
  price: terms.priceE4 / 1e4,
  sharesE6: 0n,
  matchedE6: trades.reduce((sum, { sharesE6 }) => sum + sharesE6, 0n),
})

export const toTradeView = (trade: VenueTrade): TradeView => ({
  tradeId: trade.tradeId,
  orderId: trade.orderId,
  role: 'TAKER',
  conditionId: trade.market.market.conditionId,
  tokenId: trade.tokenId,
  side: trade.side,
  price: trade.priceE4 / 1e4,
  sharesE6: trade.sharesE6,
  status: trade.status,
  transactionHash: trade.status === 'MATCHED' ? undefined : `0x${digest(trade.tradeId)}`,
  matchedAtMs: trade.matchedMs,
})
