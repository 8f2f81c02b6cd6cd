import type { BrokerName, TradeRow } from '../../ledger/ports/bot-book.ts'

/** Nothing gained after fees is a loss. */
const isLoss = ({ roundProfitE6 }: TradeRow): boolean => (roundProfitE6 ?? 0n) <= 0n

/**
 * Windows that the round lost one after another under a broker, since its last win or the reset with this number. By what
 * its own purchases brought: an order by hand neither breaks a losing run nor makes one. By the order of the windows: a
 * clock that was set back cannot hide a loss behind a win.
 */
export function losingRun(trades: readonly TradeRow[], broker: BrokerName, resetSeq: number): number {
  const own = trades.filter((trade) => trade.broker === broker && isCounted(trade, resetSeq))
  const lastWinS = Math.max(
    ...own.filter((trade) => !isLoss(trade)).map(({ windowStartS }) => windowStartS),
    0,
  )
  // A loss in the window of a win counts as one after it.
  return own.filter((trade) => isLoss(trade) && trade.windowStartS >= lastWinS).length
}

/** A trade of which every fill failed later was none. */
const isCounted = (trade: TradeRow, resetSeq: number): boolean =>
  trade.roundProfitE6 !== undefined && isSinceReset(trade, resetSeq)

/** Settled after the reset was written. */
export const isSinceReset = ({ breakerSeq }: TradeRow, resetSeq: number): boolean => breakerSeq >= resetSeq
