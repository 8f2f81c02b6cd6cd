import { toDecimal, type Usd } from '../../core/money.ts'
import { DAY_MS } from '../../core/time/time.ts'
import type { BrokerName, TradeRow } from '../../ledger/ports/bot-book.ts'
import { dayOf } from '../account/day-figures.ts'
import type { TradingConfig } from '../trading-config.ts'
import { LATE_DAYS } from './late-days.ts'
import { isSinceReset, losingRun } from './losing-run.ts'

/**
 * Why the trades of a broker since the last reset open the breaker, in a sentence; undefined where they do not. Only the one
 * in use is asked about: losses of simulated money do not stop real trading, nor the other way round.
 */
export function whyOpen(
  trades: readonly TradeRow[],
  broker: BrokerName,
  resetSeq: number,
  config: Pick<TradingConfig, 'maxConsecutiveLosses' | 'dailyLossLimitUsd'>,
  nowMs: number,
): string | undefined {
  const run = losingRun(trades, broker, resetSeq)
  if (run >= config.maxConsecutiveLosses) return `${run} trades of ${broker} lost in a row`
  const own = trades.filter((trade) => trade.broker === broker)
  const lost = daysLost(own, resetSeq, nowMs).find(({ lossE6 }) => lossE6 >= config.dailyLossLimitUsd)
  if (lost)
    return `${broker} lost ${toDecimal(lost.lossE6)} USD ${lost.when}, and the limit is ${toDecimal(config.dailyLossLimitUsd)}`
  return undefined
}

/**
 * Today, and the days before it: a window may be resolved, or settled, only after its day has ended, and then nobody looked
 * at its loss while it was that day. Only with a loss since the reset: what was reset does not open it again.
 */
function daysLost(
  own: readonly TradeRow[],
  resetSeq: number,
  nowMs: number,
): { lossE6: Usd; when: string }[] {
  const today = dayOf(nowMs / 1000)
  const isNewLoss = (trade: TradeRow) => trade.profitE6 < 0n && isSinceReset(trade, resetSeq)
  return Array.from({ length: LATE_DAYS + 1 }, (_, ago) => today - ago).flatMap((day) => {
    const rows = own.filter(({ windowStartS }) => dayOf(windowStartS) === day)
    if (!rows.some(isNewLoss)) return []
    const profitE6 = rows.reduce((sum, trade) => sum + trade.profitE6, 0n)
    if (profitE6 >= 0n) return []
    const when = day === today ? 'today' : `on ${new Date(day * DAY_MS).toISOString().slice(0, 10)}`
    return [{ lossE6: -profitE6 as Usd, when }]
  })
}
