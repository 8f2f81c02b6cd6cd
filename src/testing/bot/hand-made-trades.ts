import type { BotBook, TradeRow } from '../../ledger/ports/bot-book.ts'

const FIRST_S = 1_767_614_400
const READ_TURNS = 4

/** Ten shares of UP at fifty cents with ten cents of fees, won: 4.90 of profit. */
export function tradeAt(windowStartS: number, more: Partial<TradeRow> = {}): TradeRow {
  const { broker = 'paper', coin = 'BTC' } = more
  const row = {
    broker,
    conditionId: `0x${broker}-${coin}-${windowStartS}`,
    coin,
    windowStartS,
    direction: 'UP',
    outcome: 'UP',
    origin: 'round',
    confidence: 0.6,
    boughtSharesE6: 10_000_000n,
    costE6: 5_000_000n,
    feesE6: 100_000n,
    collectedE6: 10_000_000n,
    openedMs: (windowStartS + 20) * 1000,
    resolvedMs: (windowStartS + 302) * 1000,
    breakerSeq: 0,
    ...more,
  } as const
  const profitE6 = row.collectedE6 - row.costE6 - row.feesE6
  return {
    profitE6,
    roundProfitE6: row.origin === 'round' || row.origin === 'mixed' ? profitE6 : undefined,
    ...row,
  }
}

export const lostAt = (windowStartS: number, more: Partial<TradeRow> = {}): TradeRow =>
  tradeAt(windowStartS, { outcome: 'DOWN', collectedE6: 0n, ...more })

/** One window after another; of `count` trades the first `wins` are won. */
export function tradesInARow(count: number, wins: number, more: Partial<TradeRow> = {}): TradeRow[] {
  return Array.from({ length: count }, (_, n) => (n < wins ? tradeAt : lostAt)(FIRST_S + n * 300, more))
}

/** The part of the ledger that results are read from; rows are settled into it as into the real one. */
export function createTradeBook(rows: readonly TradeRow[] = []) {
  const byMarket = new Map<string, TradeRow>()
  const settle = (trade: TradeRow) => void byMarket.set(`${trade.broker} ${trade.conditionId}`, trade)
  rows.forEach(settle)
  const trades: BotBook['trades'] = async ({ broker }, { limit, offset }) => {
    const page = [...byMarket.values()]
      .filter((trade) => broker === undefined || trade.broker === broker)
      .sort((a, b) => b.windowStartS - a.windowStartS || (a.conditionId < b.conditionId ? -1 : 1))
      .slice(offset, offset + limit)
    // What was read is on its way while others write.
    for (let turn = 0; turn < READ_TURNS; turn++) await Promise.resolve()
    return page
  }
  return { settle, trades, rows: () => [...byMarket.values()] }
}
