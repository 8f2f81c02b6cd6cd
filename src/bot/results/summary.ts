import { COINS, type Coin, mapCoins } from '../../core/coin.ts'
import type { TradeRow } from '../../ledger/ports/bot-book.ts'
import { type Drawdown, drawdownOf, joinDrawdowns, NO_DRAWDOWN } from './drawdown.ts'
import { joinLosingRuns, type LosingRun, losingRunOf, NO_RUN } from './losing-run.ts'
import { addTallies, NO_TALLY, type Tally, tallyOf } from './tally.ts'

/** What a stretch of trades brought, without the trades: two that follow each other join into one. */
export type Summary = {
  all: Tally
  perCoin: Readonly<Record<Coin, Tally>>
  /** Of the account. */
  drawdown: Drawdown
  /** Of the bot's own trades. */
  losingRun: LosingRun
  /** Profit of the best and the worst trade of the account; undefined without trades. */
  bestE6: bigint | undefined
  worstE6: bigint | undefined
  lastWindowStartS: number | undefined
}

export const NO_SUMMARY: Summary = {
  all: NO_TALLY,
  perCoin: mapCoins(() => NO_TALLY),
  drawdown: NO_DRAWDOWN,
  losingRun: NO_RUN,
  bestE6: undefined,
  worstE6: undefined,
  lastWindowStartS: undefined,
}

/** Trades in order, oldest first. */
export function summarise(trades: readonly TradeRow[]): Summary {
  return trades.reduce((summary, trade) => join(summary, summaryOf(trade)), NO_SUMMARY)
}

function summaryOf(trade: TradeRow): Summary {
  const { profitE6, roundProfitE6, coin, windowStartS } = trade
  const tally = tallyOf(trade)
  return {
    all: tally,
    perCoin: { ...NO_SUMMARY.perCoin, [coin]: tally },
    drawdown: drawdownOf(profitE6),
    losingRun: roundProfitE6 === undefined ? NO_RUN : losingRunOf(roundProfitE6),
    bestE6: profitE6,
    worstE6: profitE6,
    lastWindowStartS: windowStartS,
  }
}

export function join(earlier: Summary, later: Summary): Summary {
  if (earlier.all.trades === 0) return later
  if (later.all.trades === 0) return earlier
  const perCoin = { ...earlier.perCoin }
  for (const coin of COINS) perCoin[coin] = addTallies(perCoin[coin], later.perCoin[coin])
  return {
    all: addTallies(earlier.all, later.all),
    perCoin,
    drawdown: joinDrawdowns(earlier.drawdown, later.drawdown),
    losingRun: joinLosingRuns(earlier.losingRun, later.losingRun),
    bestE6: pick(earlier.bestE6, later.bestE6, (a, b) => a > b),
    worstE6: pick(earlier.worstE6, later.worstE6, (a, b) => a < b),
    lastWindowStartS: later.lastWindowStartS,
  }
}

type Amount = bigint | undefined
function pick(a: Amount, b: Amount, isBetter: (a: bigint, b: bigint) => boolean): Amount {
  if (a === undefined || b === undefined) return a ?? b
  return isBetter(a, b) ? a : b
}
