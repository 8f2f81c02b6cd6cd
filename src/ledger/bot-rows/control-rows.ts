import type { Coin } from '../../core/coin.ts'
import type { Direction } from '../../signals/signal.ts'
import { type Columns, findNumber, findText } from '../columns.ts'
import type { BossSignalRow, BreakerRow, BrokerName, ConfigRow, DecisionRow } from '../ports/bot-book.ts'

/** Texts are cast where the table's own CHECK, or the only writer's type, allows no other. */
export const toDecision = (row: Columns): DecisionRow => ({
  windowStartS: Number(row.window_start_s),
  coin: String(row.coin) as Coin,
  attempt: Number(row.attempt),
  atMs: Number(row.at_ms),
  broker: String(row.broker) as BrokerName,
  action: String(row.action) as DecisionRow['action'],
  reason: String(row.reason),
  facts: String(row.facts),
})

export const toConfig = (row: Columns): ConfigRow => ({
  version: Number(row.version),
  atMs: Number(row.at_ms),
  by: String(row.made_by),
  text: String(row.text),
})

export const toBreaker = (row: Columns): BreakerRow => ({
  seq: Number(row.seq),
  atMs: Number(row.at_ms),
  kind: String(row.kind) as BreakerRow['kind'],
  reason: String(row.reason),
  by: String(row.made_by),
})

export const toBossSignal = (row: Columns): BossSignalRow => ({
  seq: Number(row.seq),
  atMs: Number(row.at_ms),
  by: String(row.made_by),
  direction: String(row.direction) as Direction,
  coin: String(row.coin) as Coin,
  reason: findText(row.reason),
  windowStartS: Number(row.window_start_s),
  usedMs: findNumber(row.used_ms),
})
