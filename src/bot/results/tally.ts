import type { TradeRow } from '../../ledger/ports/bot-book.ts'

/** Sums over trades. Money in millionths, exact. */
export type Tally = {
  /** Of the account, whoever wanted them. */
  trades: number
  /** Fees are in it. */
  profitE6: bigint
  feesE6: bigint
  /** What shares were bought for, without fees. */
  costE6: bigint
  /** Windows in which the round bought, by what its own purchases brought: orders by hand are not the bot's record. */
  bot: { trades: number; wins: number; losses: number; profitE6: bigint }
}

export const NO_TALLY: Tally = {
  trades: 0,
  profitE6: 0n,
  feesE6: 0n,
  costE6: 0n,
  bot: { trades: 0, wins: 0, losses: 0, profitE6: 0n },
}

/** A win brought more than it cost with fees; all else is a loss, as for the breaker. */
export function tallyOf({ roundProfitE6, profitE6, feesE6, costE6 }: TradeRow): Tally {
  const bot =
    roundProfitE6 === undefined
      ? NO_TALLY.bot
      : {
          trades: 1,
          wins: roundProfitE6 > 0n ? 1 : 0,
          losses: roundProfitE6 > 0n ? 0 : 1,
          profitE6: roundProfitE6,
        }
  return { trades: 1, profitE6, feesE6, costE6, bot }
}

export function addTallies(a: Tally, b: Tally): Tally {
  if (a.trades === 0) return b
  if (b.trades === 0) return a
  return {
    trades: a.trades + b.trades,
    profitE6: a.profitE6 + b.profitE6,
    feesE6: a.feesE6 + b.feesE6,
    costE6: a.costE6 + b.costE6,
    bot: {
      trades: a.bot.trades + b.bot.trades,
      wins: a.bot.wins + b.bot.wins,
      losses: a.bot.losses + b.bot.losses,
      profitE6: a.bot.profitE6 + b.bot.profitE6,
    },
  }
}
