import type { z } from 'zod'
import type { OrderView, TradeView } from './trading.ts'
import type { WireOrder, WireTrade } from './wire.ts'

const STATES = {
  LIVE: 'live',
  DELAYED: 'delayed',
  MATCHED: 'matched',
  CANCELED: 'canceled',
  CANCELLED: 'canceled',
  UNMATCHED: 'unmatched',
} as const satisfies Record<string, OrderView['state']>

/** A state that we do not know is told apart from those that we do. */
export function toState(text: string): OrderView['state'] {
  const name = text.toUpperCase().replace(/^ORDER_STATUS_/, '')
  return Object.hasOwn(STATES, name) ? STATES[name as keyof typeof STATES] : 'other'
}

export const toOrderView = (row: z.output<typeof WireOrder>): OrderView => ({
  orderId: row.id,
  state: toState(row.status),
  tokenId: row.asset_id,
  conditionId: row.market,
  side: row.side,
  priceE4: row.price,
  shares: row.original_size,
  matched: row.size_matched,
  tradeIds: row.associate_trades ?? [],
})

/** Our part of a trade: the outer one of a taker, one for each of our orders of a maker. */
export function toTradeView(row: z.output<typeof WireTrade>, wallet: string): TradeView[] {
  const shared = {
    id: row.id,
    role: row.trader_side,
    conditionId: row.market,
    status: row.status.toUpperCase(),
    transactionHash: row.transaction_hash || undefined,
    matchedS: row.match_time,
  }
  if (row.trader_side === 'TAKER') {
    const { side, asset_id: tokenId, price: priceE4, size: shares } = row
    return [{ ...shared, orderId: row.taker_order_id, tokenId, side, priceE4, shares }]
  }
  return row.maker_orders
    .filter(({ maker_address }) => maker_address.toLowerCase() === wallet.toLowerCase())
    .map((maker) => ({
      ...shared,
      orderId: maker.order_id,
      tokenId: maker.asset_id,
      side: maker.side ?? sideOf(row, maker.asset_id),
      priceE4: maker.price,
      shares: maker.matched_amount,
    }))
}

/** Against the same token a maker stands on the other side, against the opposite token on the same. */
function sideOf({ side, asset_id }: z.output<typeof WireTrade>, tokenId: string): 'BUY' | 'SELL' {
  if (asset_id !== tokenId) return side
  return side === 'BUY' ? 'SELL' : 'BUY'
}
