import type { DatabaseSync } from 'node:sqlite'
import type { BrokerName } from '../../ports/bot-book.ts'

export type RefreshMarket = (broker: BrokerName, conditionId: string) => void

/**
 * Writes down which orders are unsettled and how many shares can be redeemed, after anything in a market has changed.
 * Both lists stay short, so that reading them costs the same after years.
 */
export function prepareRefresh(db: DatabaseSync): RefreshMarket {
  const orders = db.prepare(`
    UPDATE bot_orders AS o SET is_unsettled =
      (o.state = 'open' OR EXISTS (SELECT 1 FROM bot_fills f WHERE f.order_seq = o.seq AND f.state <> 'failed'))
      AND NOT EXISTS (SELECT 1 FROM bot_trades t WHERE t.broker = o.broker AND t.condition_id = o.condition_id)
    WHERE o.broker = ? AND o.condition_id = ?
  `)
  const trade = db.prepare(`
    UPDATE bot_trades AS t SET redeemable_e6 = iif(
      EXISTS (SELECT 1 FROM bot_redemptions r
        WHERE r.broker = t.broker AND r.condition_id = t.condition_id AND r.state = 'done'),
      0,
      max(0, coalesce((
        SELECT sum(iif(o.side = 'BUY', f.shares_e6, -f.shares_e6))
        FROM bot_orders o JOIN bot_fills f ON f.order_seq = o.seq
        WHERE o.broker = t.broker AND o.condition_id = t.condition_id AND f.state <> 'failed'
          AND (o.outcome = t.outcome OR EXISTS (SELECT 1 FROM bot_resolutions r
            WHERE r.window_start_s = t.window_start_s AND r.coin = t.coin AND r.payout_up_e6 BETWEEN 1 AND 999999))
      ), 0))
    )
    WHERE t.broker = ? AND t.condition_id = ?
  `)
  return (broker, conditionId) => {
    orders.run(broker, conditionId)
    trade.run(broker, conditionId)
  }
}
