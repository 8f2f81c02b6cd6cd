import type { Placed } from '../../../prediction/accounts/order-desk.ts'
import type { AccountOrder, AccountTrade } from '../../../prediction/accounts/rows.ts'

/** Millionths as the venue writes amounts: `5.1`, never `5.100000`. */
export const amountText = (e6: number): string => String(e6 / 1e6)
export const priceText = (e4: number): string => String(e4 / 1e4)
const secondsText = (ms: number) => String(Math.floor(ms / 1000))

const ORDER_STATUS = {
  live: 'LIVE',
  delayed: 'DELAYED',
  matched: 'MATCHED',
  canceled: 'CANCELED',
  expired: 'CANCELED',
  unmatched: 'UNMATCHED',
} as const satisfies Record<AccountOrder['status'], string>

/** The reply to an order. Amounts are what was matched at once. */
export function toPostReply({ order, trades }: Placed) {
  const collateral = trades.reduce((sum, { collateralE6 }) => sum + collateralE6, 0)
  const shares = trades.reduce((sum, { sharesE6 }) => sum + sharesE6, 0)
  const [making, taking] = order.side === 'BUY' ? [collateral, shares] : [shares, collateral]
  const hashes = [...new Set(trades.map(({ transactionHash }) => transactionHash))].filter(
    (hash) => hash !== '',
  )
  return {
    errorMsg: '',
    orderID: order.id,
    takingAmount: trades.length > 0 ? amountText(taking) : '',
    makingAmount: trades.length > 0 ? amountText(making) : '',
    status: order.status,
    ...(hashes.length > 0 && { transactionsHashes: hashes }),
    ...(trades.length > 0 && { tradeIDs: trades.map(({ id }) => id) }),
    success: true,
  }
}

export function toOpenOrder(order: AccountOrder, tradeIds: readonly string[]) {
  return {
    id: order.id,
    status: ORDER_STATUS[order.status],
    owner: order.owner,
    maker_address: order.wallet,
    market: order.conditionId,
    asset_id: order.tokenId,
    side: order.side,
    original_size: amountText(order.sharesE6),
    size_matched: amountText(order.filledE6),
    price: priceText(order.priceE4),
    associate_trades: tradeIds,
    outcome: order.outcome,
    created_at: Math.floor(order.createdMs / 1000),
    expiration: String(order.expirationS),
    order_type: order.kind,
  }
}

/**
 * A trade as the account sees it: the outer part is the taker's, makers stand in the list. Where the account was the
 * maker, the taker is shown on the same token.
 */
export function toUserTrade(trade: AccountTrade, outcome: string) {
  const isTaker = trade.role === 'TAKER'
  const other = trade.side === 'BUY' ? 'SELL' : 'BUY'
  const shared = { price: priceText(trade.priceE4), asset_id: trade.tokenId, outcome, fee_rate_bps: '0' }
  return {
    id: trade.id,
    taker_order_id: isTaker ? trade.orderId : trade.counter.orderId,
    market: trade.conditionId,
    ...shared,
    side: isTaker ? trade.side : other,
    size: amountText(trade.sharesE6),
    status: trade.status,
    match_time: secondsText(trade.matchedMs),
    last_update: secondsText(trade.updatedMs),
    bucket_index: 0,
    owner: trade.owner,
    maker_address: isTaker ? trade.wallet : trade.counter.wallet,
    maker_orders: [
      {
        order_id: isTaker ? trade.counter.orderId : trade.orderId,
        owner: isTaker ? '' : trade.owner,
        maker_address: isTaker ? trade.counter.wallet : trade.wallet,
        matched_amount: amountText(trade.sharesE6),
        ...shared,
        side: isTaker ? other : trade.side,
      },
    ],
    transaction_hash: trade.transactionHash,
    ...(trade.status === 'FAILED' && { err_msg: 'the settlement was not carried out' }),
    trader_side: trade.role,
  }
}
