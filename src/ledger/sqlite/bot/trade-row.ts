import type { DatabaseSync } from 'node:sqlite'
import type { Settlement } from '../../ports/bot-book.ts'

/** Replaces the row of its market but for when it was first settled, by the clock and by the breaker's rows. */
export function prepareTrade(db: DatabaseSync): (trade: Settlement) => void {
  const replace = db.prepare(`
    UPDATE bot_trades SET coin = :coin, window_start_s = :windowStartS, direction = :direction, outcome = :outcome,
      origin = :origin, confidence = :confidence, bought_shares_e6 = :boughtSharesE6, cost_e6 = :costE6,
      fees_e6 = :feesE6, collected_e6 = :collectedE6, profit_e6 = :profitE6,
      round_profit_e6 = :roundProfitE6, opened_ms = :openedMs
    WHERE broker = :broker AND condition_id = :conditionId
  `)
  const insert = db.prepare(`
    INSERT INTO bot_trades (broker, condition_id, coin, window_start_s, direction, outcome, origin, confidence,
      bought_shares_e6, cost_e6, fees_e6, collected_e6, profit_e6, round_profit_e6, opened_ms, resolved_ms, breaker_seq)
    VALUES (:broker, :conditionId, :coin, :windowStartS, :direction, :outcome, :origin, :confidence,
      :boughtSharesE6, :costE6, :feesE6, :collectedE6, :profitE6, :roundProfitE6, :openedMs, :resolvedMs,
      (SELECT coalesce(max(seq), 0) FROM bot_breaker))
  `)
  return (trade) => {
    const { broker, conditionId, coin, windowStartS, direction, outcome, origin } = trade
    const { boughtSharesE6, costE6, feesE6, collectedE6, profitE6, openedMs, resolvedMs } = trade
    const values = {
      ...{ broker, conditionId, coin, windowStartS, direction, outcome, origin },
      ...{ boughtSharesE6, costE6, feesE6, collectedE6, profitE6, openedMs },
      confidence: trade.confidence ?? null,
      roundProfitE6: trade.roundProfitE6 ?? null,
    }
    if (replace.run(values).changes === 0) insert.run({ ...values, resolvedMs })
  }
}
