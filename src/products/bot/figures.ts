import { z } from 'zod'
import type { Summary } from '../../bot/results/summary.ts'
import type { Tally } from '../../bot/results/tally.ts'
import { COINS } from '../../core/coin.ts'
import { fromMillionths } from '../../market/prediction/millionths.ts'
import { toWinRate, WinRate } from './win-rate.ts'

const Dollars = z.number()

/** Sums of one account. */
export const Figures = z.object({
  total_pnl_usdc: Dollars.describe('Profit of the account after fees, also of trades that the operator made'),
  ...WinRate.shape,
  bot_pnl_usdc: Dollars.describe('Profit after fees of what the bot bought by itself: the win rate is of it'),
  account_trades: z.int().min(0).describe('Resolved trades of the account, those of the operator included'),
  fees_usdc: Dollars.min(0).describe('Fees of all trades; every profit is after them'),
  volume_usdc: Dollars.min(0).describe('What shares were bought for, without fees'),
})

export function toFigures(tally: Tally): z.input<typeof Figures> {
  return {
    total_pnl_usdc: fromMillionths(tally.profitE6),
    ...toWinRate(tally.bot),
    bot_pnl_usdc: fromMillionths(tally.bot.profitE6),
    account_trades: tally.trades,
    fees_usdc: fromMillionths(tally.feesE6),
    volume_usdc: fromMillionths(tally.costE6),
  }
}

export const Risk = z.object({
  best_trade_usdc: Dollars.nullable().describe('Profit of the best trade; null without trades'),
  worst_trade_usdc: Dollars.nullable(),
  max_drawdown_usdc: Dollars.min(0).describe('Deepest fall of the profit of the account from a high'),
  longest_losing_run: z.int().min(0).describe('Losses of the bot in a row'),
  losing_run_now: z.int().min(0),
})

export function toRisk({ bestE6, worstE6, drawdown, losingRun }: Summary): z.input<typeof Risk> {
  return {
    best_trade_usdc: bestE6 === undefined ? null : fromMillionths(bestE6),
    worst_trade_usdc: worstE6 === undefined ? null : fromMillionths(worstE6),
    max_drawdown_usdc: fromMillionths(drawdown.deepestE6),
    longest_losing_run: losingRun.longest,
    losing_run_now: losingRun.tail,
  }
}

export const CoinFigures = z.object({ coin: z.enum(COINS), ...Figures.shape })

export function toCoinFigures({ perCoin }: Summary): z.input<typeof CoinFigures>[] {
  return COINS.map((coin) => ({ coin, ...toFigures(perCoin[coin]) }))
}

export const Today = z
  .object({
    day: z.iso.date().describe('UTC; a trade belongs to the day that its window opened in'),
    ...Figures.shape,
  })
  .describe('Trades of today that are resolved')

export function toToday({ all }: Summary, nowMs: number): z.input<typeof Today> {
  return { day: new Date(nowMs).toISOString().slice(0, 'YYYY-MM-DD'.length), ...toFigures(all) }
}
