import type { BrokerName } from '../../ports/bot-book.ts'
import type { Query } from '../database.ts'

const REFRESH_ORDERS = `
  UPDATE bot_orders o SET is_unsettled = NOT o.is_unsettled
  WHERE o.broker = $1 AND o.condition_id = $2 AND o.is_unsettled <> (
    (o.state = 'open' OR EXISTS (SELECT 1 FROM bot_fills f WHERE f.order_seq = o.seq AND f.state <> 'failed'))
    AND NOT EXISTS (SELECT 1 FROM bot_trades t WHERE t.broker = o.broker AND t.condition_id = o.condition_id)
  )`
const REFRESH_TRADE = `
  UPDATE bot_trades t SET redeemable_e6 = CASE
    WHEN EXISTS (SELECT 1 FROM bot_redemptions r
      WHERE r.broker = t.broker AND r.condition_id = t.condition_id AND r.state = 'done') THEN 0
    ELSE greatest(0, coalesce((
      SELECT sum(CASE o.side WHEN 'BUY' THEN f.shares_e6 ELSE -f.shares_e6 END)
      FROM bot_orders o JOIN bot_fills f ON f.order_seq = o.seq
      WHERE o.broker = t.broker AND o.condition_id = t.condition_id AND f.state <> 'failed'
        AND (o.outcome = t.outcome OR EXISTS (SELECT 1 FROM bot_resolutions r
          WHERE r.window_start_s = t.window_start_s AND r.coin = t.coin AND r.payout_up_e6 BETWEEN 1 AND 999999))
    ), 0)) END
  WHERE t.broker = $1 AND t.condition_id = $2`

/**
 * Writes down which orders are unsettled and how many shares can be redeemed, after anything in a market has changed.
 * Both lists stay short, so that reading them costs the same after years. Only in turn: of two at once, each would miss
 * what the other has written.
 */
export async function refreshMarket(query: Query, broker: BrokerName, conditionId: string): Promise<void> {
  await query(REFRESH_ORDERS, [broker, conditionId])
  await query(REFRESH_TRADE, [broker, conditionId])
}
