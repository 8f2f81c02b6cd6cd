import { COINS } from '../../core/coin.ts'
import { DAY_MS, SECOND_MS } from '../../core/time/time.ts'
import type { TradeRow } from '../../ledger/ports/bot-book.ts'

const DAY_S = DAY_MS / SECOND_MS

/** The UTC day that a window started in, counted from the epoch. */
export const dayOf = ({ windowStartS }: Pick<TradeRow, 'windowStartS'>): number =>
  Math.floor(windowStartS / DAY_S)

/** Oldest window first; within a window always the same, so that figures that depend on the order never change. */
export function compareTrades(a: TradeRow, b: TradeRow): number {
  if (a.windowStartS !== b.windowStartS) return a.windowStartS - b.windowStartS
  if (a.coin !== b.coin) return COINS.indexOf(a.coin) - COINS.indexOf(b.coin)
  return a.conditionId < b.conditionId ? -1 : a.conditionId > b.conditionId ? 1 : 0
}

/** A market whose orders all took nothing has a row too, but nothing was traded. */
export const hasTraded = ({ boughtSharesE6 }: TradeRow): boolean => boughtSharesE6 > 0n
