import type { Coin } from '../../core/coin.ts'
import type { Direction } from '../../signals/signal.ts'
import { type Columns, findAmount, findNumber, findText, toAmount } from '../columns.ts'
import type { BrokerName, FillRow, FillState, OrderRow, OrderSide, Origin } from '../ports/bot-book.ts'

/** Texts are cast where the table's own CHECK, or the only writer's type, allows no other. */
export const toOrder = (row: Columns, fills: FillRow[]): OrderRow => ({
  seq: Number(row.seq),
  clientOrderId: String(row.client_order_id),
  broker: String(row.broker) as BrokerName,
  origin: String(row.origin) as Origin,
  by: String(row.made_by),
  coin: String(row.coin) as Coin,
  windowStartS: Number(row.window_start_s),
  conditionId: String(row.condition_id),
  tokenId: String(row.token_id),
  outcome: String(row.outcome) as Direction,
  side: String(row.side) as OrderSide,
  priceE4: Number(row.price_e4),
  tickE4: Number(row.tick_e4),
  spendE6: findAmount(row.spend_e6),
  sharesE6: findAmount(row.shares_e6),
  maxFeeE6: toAmount(row.max_fee_e6),
  fee: row.fee_rate === null ? undefined : { rate: Number(row.fee_rate), exponent: Number(row.fee_exponent) },
  createdMs: Number(row.created_ms),
  state: String(row.state) as OrderRow['state'],
  orderId: findText(row.order_id),
  acceptedMs: findNumber(row.accepted_ms),
  closedMs: findNumber(row.closed_ms),
  note: findText(row.note),
  fills,
})

export const toFill = (row: Columns): FillRow => ({
  tradeId: String(row.trade_id),
  // The table's own CHECK allows no other text.
  state: String(row.state) as FillState,
  priceE6: toAmount(row.price_e6),
  sharesE6: toAmount(row.shares_e6),
  notionalE6: toAmount(row.notional_e6),
  feeE6: toAmount(row.fee_e6),
  atMs: Number(row.at_ms),
  transactionHash: findText(row.transaction_hash),
})
