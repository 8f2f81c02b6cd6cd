import type {
  BotBook,
  BrokerName,
  RedemptionRow,
  Settlement,
  TradeRow,
} from '../../../ledger/ports/bot-book.ts'
import type { Commit } from '../commit.ts'
import {
  type MemoryBotRows,
  marketKey,
  marketOf,
  refreshMarket,
  unfit,
  windowKey,
} from './memory-bot-rows.ts'
import { countBefore, insertSorted, newestFirst } from './sorted-rows.ts'

type Settlements = Pick<
  BotBook,
  | 'addResolution'
  | 'findResolution'
  | 'resolutionsSince'
  | 'settle'
  | 'findTrade'
  | 'tradesSince'
  | 'trades'
  | 'countTrades'
  | 'unredeemed'
  | 'planRedemption'
  | 'redeemed'
  | 'redemptions'
>

export function createMemorySettlements(rows: MemoryBotRows, commit: Commit): Settlements {
  const { resolutions, resolutionsByAge, trades } = rows
  const ofBroker = ({ broker }: { broker?: BrokerName | undefined }) =>
    broker === undefined ? trades : trades.filter((trade) => trade.broker === broker)
  return {
    addResolution: (given) =>
      commit(() => {
        const key = windowKey(given.coin, given.windowStartS)
        if (resolutions.has(key)) return false
        const row = { ...given }
        resolutions.set(key, row)
        insertSorted(resolutionsByAge, row, isOlder)
        return true
      }),
    async findResolution(coin, windowStartS) {
      const found = resolutions.get(windowKey(coin, windowStartS))
      return found && { ...found }
    },
    resolutionsSince: async (windowStartS) => since(resolutionsByAge, windowStartS),
    settle: (trade) => commit(() => settle(rows, trade)),
    async findTrade(broker, conditionId) {
      const { trade } = marketOf(rows, marketKey(broker, conditionId))
      return trade && { ...trade }
    },
    tradesSince: async (windowStartS) => since(trades, windowStartS),
    trades: async (filter, { limit, offset }) => newestFirst(ofBroker(filter), limit, offset).map(copy),
    countTrades: async (filter) => ofBroker(filter).length,
    async unredeemed(broker) {
      const won = [...rows.winningShares].map(([key, sharesE6]) => ({
        ...(marketOf(rows, key).trade as TradeRow),
        sharesE6,
      }))
      return won.filter((trade) => trade.broker === broker).sort((a, b) => (isBefore(a, b) ? -1 : 1))
    },
    planRedemption: (row) =>
      commit(() => {
        const planned = { ...row, state: 'planned', amountE6: 0n, transactionHash: undefined } as const
        if (!marketOf(rows, marketKey(row.broker, row.conditionId)).redemption) putRedemption(rows, planned)
      }),
    redeemed: (row) =>
      commit(() => {
        const { redemption } = marketOf(rows, marketKey(row.broker, row.conditionId))
        if (redemption?.state === 'done' && redemption.amountE6 >= row.amountE6) return false
        putRedemption(rows, { ...row, state: 'done' })
        return true
      }),
    redemptions: async (broker) =>
      [...rows.redemptions.values()].filter((row) => row.broker === broker).map(copy),
  }
}

const copy = <T extends object>(row: T): T => ({ ...row })

const since = <T extends { windowStartS: number }>(sorted: readonly T[], from: number): T[] =>
  sorted.slice(countBefore(sorted, ({ windowStartS }) => windowStartS < from)).map(copy)

type Aged = { windowStartS: number; coin: string }
const isOlder = (a: Aged, b: Aged) =>
  a.windowStartS < b.windowStartS || (a.windowStartS === b.windowStartS && a.coin < b.coin)

const keyOf = ({ broker, conditionId }: Settlement) => marketKey(broker, conditionId)
const isBefore = (a: TradeRow, b: TradeRow) => isOlder(a, b) || (!isOlder(b, a) && keyOf(a) < keyOf(b))

function settle(rows: MemoryBotRows, trade: Settlement): TradeRow {
  if (trade.profitE6 !== trade.collectedE6 - trade.costE6 - trade.feesE6)
    throw unfit('the profit of a trade is what was collected less cost and fees')
  const market = marketOf(rows, keyOf(trade))
  const before = market.trade
  if (before && (['coin', 'windowStartS', 'outcome'] as const).some((name) => before[name] !== trade[name]))
    throw unfit('a trade keeps its window and its outcome')
  const { resolvedMs, breakerSeq } = before ?? { ...trade, breakerSeq: rows.breaker.length }
  const row = { ...trade, resolvedMs, breakerSeq }
  market.trade = row
  if (before) rows.trades[countBefore(rows.trades, (each) => isBefore(each, row))] = row
  else insertSorted(rows.trades, row, isBefore)
  refreshMarket(rows, keyOf(row))
  return { ...row }
}

function putRedemption(rows: MemoryBotRows, row: RedemptionRow): void {
  const key = marketKey(row.broker, row.conditionId)
  const copied = { ...row }
  marketOf(rows, key).redemption = copied
  rows.redemptions.set(key, copied)
  refreshMarket(rows, key)
}
