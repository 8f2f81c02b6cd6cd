import { z } from 'zod'
import { AccountKind, kindOf, resultsOf } from '../bot/account.ts'
import { TELLING_TRADES } from '../bot/win-rate.ts'
import type { SignalServices } from './services.ts'

/** What our own bot made of such signals, beside them. */
export const BotFigures = z.object({
  bot_win_rate: z
    .number()
    .min(0)
    .max(1)
    .describe(
      'Share from 0 to 1, not percent, of its resolved trades that our own bot won after fees; over 0 trades it means nothing. win_rate of the track record is in percent',
    ),
  bot_win_rate_means_little: z
    .boolean()
    .describe(`True below ${TELLING_TRADES} resolved trades: too few to tell skill from luck`),
  bot_resolved_trades: z.int().min(0).describe('Trades that the win rate is of'),
  bot_account: AccountKind.describe('What these trades were made with: simulated money or a real account'),
  trades_today: z.int().min(0).describe('Of them, those of windows since midnight UTC'),
})

export function toBotFigures(services: SignalServices): z.input<typeof BotFigures> {
  const results = resultsOf(services)
  const broker = results.leading()
  const { trades, wins } = results.total(broker).all.bot
  return {
    bot_win_rate: trades === 0 ? 0 : Math.round((wins / trades) * 10_000) / 10_000,
    bot_win_rate_means_little: trades < TELLING_TRADES,
    bot_resolved_trades: trades,
    bot_account: kindOf(broker),
    trades_today: results.today(broker).all.bot.trades,
  }
}
