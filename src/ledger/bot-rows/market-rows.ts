import type { Coin } from '../../core/coin.ts'
import type { Direction } from '../../signals/signal.ts'
import { type Columns, findAmount, findNumber, findText, toAmount } from '../columns.ts'
import type { BrokerName, RedemptionRow, ResolutionRow, TradeRow } from '../ports/bot-book.ts'

/** Texts are cast where the table's own CHECK, or the only writer's type, allows no other. */
export const toResolution = (row: Columns): ResolutionRow => ({
  coin: String(row.coin) as Coin,
  windowStartS: Number(row.window_start_s),
  conditionId: String(row.condition_id),
  outcome: String(row.outcome) as Direction,
  payoutUpE6: toAmount(row.payout_up_e6),
  atMs: Number(row.at_ms),
})

export const toTrade = (row: Columns): TradeRow => ({
  broker: String(row.broker) as BrokerName,
  conditionId: String(row.condition_id),
  coin: String(row.coin) as Coin,
  windowStartS: Number(row.window_start_s),
  direction: String(row.direction) as Direction,
  outcome: String(row.outcome) as Direction,
  origin: String(row.origin) as TradeRow['origin'],
  confidence: findNumber(row.confidence),
  boughtSharesE6: toAmount(row.bought_shares_e6),
  costE6: toAmount(row.cost_e6),
  feesE6: toAmount(row.fees_e6),
  collectedE6: toAmount(row.collected_e6),
  profitE6: toAmount(row.profit_e6),
  roundProfitE6: findAmount(row.round_profit_e6),
  openedMs: Number(row.opened_ms),
  resolvedMs: Number(row.resolved_ms),
  breakerSeq: Number(row.breaker_seq),
})

export const toRedemption = (row: Columns): RedemptionRow => ({
  broker: String(row.broker) as BrokerName,
  conditionId: String(row.condition_id),
  state: String(row.state) as RedemptionRow['state'],
  sharesE6: toAmount(row.shares_e6),
  amountE6: toAmount(row.amount_e6),
  transactionHash: findText(row.transaction_hash),
  atMs: Number(row.at_ms),
})
