import type { OpenOrder, UserTrade } from '../clob/order-wire.ts'
import type { OrderView, TradeView } from './trading.ts'

const STATES = {
  LIVE: 'live',
  DELAYED: 'delayed',
  MATCHED: 'matched',
  CANCELED: 'canceled',
  CANCELLED: 'canceled',
  UNMATCHED: 'unmatched',
  INVALID: 'canceled',
} as const satisfies Record<string, OrderView['state']>

/** With or without the name of its kind, and a cancellation with its reason. What we do not know is told apart. */
function toState(text: string): OrderView['state'] {
  const name = text.toUpperCase().replace(/^ORDER_STATUS_/, '')
  if (/^CANCELL?ED_/.test(name)) return 'canceled'
  return Object.hasOwn(STATES, name) ? STATES[name as keyof typeof STATES] : 'other'
}

export const toOrderView = ({
  status,
  orderId,
  tokenId,
  conditionId,
  side,
  price,
  ...rest
}: OpenOrder): OrderView => ({
  ...{ orderId, tokenId, conditionId, side, price },
  state: toState(status),
  sharesE6: rest.sharesE6,
  matchedE6: rest.matchedE6,
})

/** Our part of a trade: the outer one of a taker, one for each of our orders of a maker. */
export function toTradeViews(trade: UserTrade, wallet: string): TradeView[] {
  const { tradeId, role, conditionId, transactionHash, matchedAtMs, side, tokenId } = trade
  const shared = {
    tradeId,
    role,
    conditionId,
    transactionHash,
    matchedAtMs,
    status: trade.status.toUpperCase().replace(/^TRADE_STATUS_/, ''),
  }
  if (role === 'TAKER') {
    const { takerOrderId: orderId, price, sharesE6 } = trade
    const makers = trade.makerOrders.map((maker) => ({
      // Whoever gives the opposite token pays what is missing to a dollar.
      price: maker.tokenId === tokenId ? maker.price : 1 - maker.price,
      sharesE6: maker.sharesE6,
    }))
    return [{ ...shared, orderId, tokenId, side, price, sharesE6, makers }]
  }
  return trade.makerOrders
    .filter((maker) => maker.wallet.toLowerCase() === wallet.toLowerCase())
    .map(({ wallet: _wallet, outcome: _outcome, ...maker }) => ({
      ...shared,
      ...maker,
      // Against the same token a maker stands on the other side, against the opposite token on the same.
      side: maker.side ?? (maker.tokenId === tokenId ? opposite(side) : side),
    }))
}

const opposite = (side: 'BUY' | 'SELL') => (side === 'BUY' ? 'SELL' : 'BUY')

/** A row that is new moves the others on, so that one may be told on two pages. The later telling is the newer one. */
export function latestOf<Row>(rows: readonly Row[], idOf: (row: Row) => string): readonly Row[] {
  return [...new Map(rows.map((row) => [idOf(row), row])).values()]
}
