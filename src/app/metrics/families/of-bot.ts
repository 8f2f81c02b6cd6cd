import type { Bot, BotStatus } from '../../../bot/bot.ts'
import type { Family } from '../family.ts'
import { gauge, oneOf, sample } from '../family.ts'

const STATES = ['starting', 'running', 'paused', 'stopped', 'blocked', 'limited'] as const
const MILLIONTHS = 1e6

/** Whether the bot trades, and how near it is to its limits. Money in dollars, of the account in use. */
export function botFamilies({ nowMs, bot }: { nowMs(): number; bot: Pick<Bot, 'status'> }): Family[] {
  const of = (name: string, help: string, value: (status: BotStatus) => number | undefined) =>
    gauge(name, help, () => {
      const status = bot.status()
      return sample(value(status), { broker: status.broker })
    })
  return [
    gauge('tollbook_bot_state', '1 for what the bot is doing now', () => oneOf(STATES, bot.status().state)),
    of(
      'tollbook_bot_halted',
      '1 while its breaker is open: it trades again when the operator resets it',
      (status) => Number(status.breaker.isOpen),
    ),
    of(
      'tollbook_bot_at_risk_usd',
      'What open orders and positions would lose at most',
      ({ today }) => Number(today.atRiskE6) / MILLIONTHS,
    ),
    of(
      'tollbook_bot_day_profit_usd',
      'Of the windows of today that are resolved, fees in it',
      ({ today }) => Number(today.profitE6) / MILLIONTHS,
    ),
    of(
      'tollbook_bot_day_loss_limit_usd',
      'What a day may lose, open positions counted as lost',
      ({ config }) => Number(config.config.dailyLossLimitUsd) / MILLIONTHS,
    ),
    of('tollbook_bot_day_trades', 'Trades of today', ({ today }) => today.trades),
    of(
      'tollbook_bot_day_trades_limit',
      'The most trades of a day',
      ({ config }) => config.config.maxTradesPerDay,
    ),
    of(
      'tollbook_bot_losses_in_a_row',
      'Since the last win or reset',
      ({ breaker }) => breaker.consecutiveLosses,
    ),
    of(
      'tollbook_bot_losses_in_a_row_limit',
      'How many open the breaker',
      ({ config }) => config.config.maxConsecutiveLosses,
    ),
    of('tollbook_bot_open_orders', 'Orders that are not decided', ({ openOrders }) => openOrders),
    of(
      'tollbook_bot_reconciled_age_seconds',
      'Since ledger and venue were last brought together',
      (status) =>
        status.lastReconciledMs === undefined
          ? undefined
          : Math.max(0, nowMs() - status.lastReconciledMs) / 1_000,
    ),
  ]
}
