import { z } from 'zod'
import type { BotStatus, Breaker, Today } from '../../../bot/bot.ts'
import type { BossSignalRow, BreakerRow } from '../../../ledger/ports/bot-book.ts'
import { fromMillionths } from '../../../market/prediction/millionths.ts'
import { isoTime } from '../../../products/fields.ts'
import {
  Account,
  CoinName,
  Count,
  OptionalTime,
  Profit,
  Side,
  toAccount,
  toOptionalTime,
  UsdAmount,
  WindowStart,
} from '../../fields.ts'

export const BreakerState = z.object({
  open: z.boolean().describe('True: no order is placed until it is reset'),
  reason: z.string().min(1).nullable(),
  since: OptionalTime,
  consecutive_losses: Count,
})

export const toBreakerState = (breaker: Breaker): z.input<typeof BreakerState> => ({
  open: breaker.isOpen,
  reason: breaker.reason ?? null,
  since: toOptionalTime(breaker.sinceMs),
  consecutive_losses: breaker.consecutiveLosses,
})

export const WhyIdle = z
  .string()
  .min(1)
  .optional()
  .describe('Why the bot buys nothing all the same; there only while it does not run')

/** For replies to what the operator does to make it trade: that it will not, and why. */
export const toWhyIdle = ({ state, why }: BotStatus): { note?: string } =>
  state === 'running' ? {} : { note: `the bot buys nothing now: it is ${state}${why ? `, ${why}` : ''}` }

export const BreakerEvent = z.object({
  at: z.iso.datetime(),
  kind: z.enum(['opened', 'reset']),
  reason: z.string(),
  by: z.string().min(1),
})

export const toBreakerEvent = ({ atMs, kind, reason, by }: BreakerRow): z.input<typeof BreakerEvent> => ({
  at: isoTime(atMs),
  kind,
  reason,
  by,
})

export const TodayFigures = z
  .object({
    ...Account.shape,
    trades: Count,
    profit_usd: Profit.describe('Of windows that are resolved, with fees'),
    at_risk_usd: UsdAmount.describe('What open orders and positions would lose at most, with fees'),
  })
  .describe('Of the UTC day, by the start of the windows')

export const toTodayFigures = (today: Today): z.input<typeof TodayFigures> => ({
  ...toAccount(today.broker),
  trades: today.trades,
  profit_usd: fromMillionths(today.profitE6),
  at_risk_usd: fromMillionths(today.atRiskE6),
})

export const BossSignal = z.object({
  coin: CoinName,
  direction: Side,
  window_start: WindowStart,
  reason: z.string().nullable(),
  by: z.string().min(1),
  at: z.iso.datetime(),
  used_at: OptionalTime.describe('null: no order has followed it yet'),
})

export const toBossSignal = (row: BossSignalRow): z.input<typeof BossSignal> => ({
  coin: row.coin,
  direction: row.direction,
  window_start: row.windowStartS,
  reason: row.reason ?? null,
  by: row.by,
  at: isoTime(row.atMs),
  used_at: toOptionalTime(row.usedMs),
})

/** What the bot is doing, without its configuration and history. */
export const BotState = z.object({
  ...Account.shape,
  state: z
    .enum(['starting', 'running', 'paused', 'stopped', 'blocked', 'limited'])
    .describe(
      'starting: reconciles with the venue first; paused: not enabled; stopped: the breaker is open; blocked: obstacles; limited: a limit of the day stops purchases',
    ),
  why: z.string().nullable().describe('Why it does not run'),
  breaker: BreakerState,
  today: TodayFigures,
  obstacles: z.array(z.object({ code: z.string().min(1), text: z.string().min(1) })),
  notes: z
    .array(z.object({ code: z.string().min(1), text: z.string().min(1) }))
    .describe('What to look at; it does not stop the bot'),
  open_orders: Count,
  last_reconciled_at: OptionalTime,
  started_at: z.iso.datetime(),
})

export const toBotState = (status: BotStatus): z.input<typeof BotState> => ({
  ...toAccount(status.broker),
  state: status.state,
  why: status.why ?? null,
  breaker: toBreakerState(status.breaker),
  today: toTodayFigures(status.today),
  obstacles: status.obstacles.map(({ code, text }) => ({ code, text })),
  notes: status.notes.map(({ code, text }) => ({ code, text })),
  open_orders: status.openOrders,
  last_reconciled_at: toOptionalTime(status.lastReconciledMs),
  started_at: isoTime(status.startedMs),
})
