import type { Coin } from '../../core/coin.ts'
import { ServiceError } from '../../core/service-error.ts'
import { DAY_MS, HOUR_MS } from '../../core/time/time.ts'
import { WINDOW_S } from '../../core/time/window.ts'
import type { BotBook, BrokerName, OrderRow, ResolutionRow, TradeRow } from '../../ledger/ports/bot-book.ts'
import { LATE_DAYS } from '../risk/late-days.ts'
import { isFinal, tookSomething } from './fills.ts'

/** Orders, trades and outcomes that still matter, in memory as the ledger has them. One bot writes a ledger. */
export type LedgerView = {
  load(nowMs: number): Promise<void>
  /** Rises with every change. */
  readonly version: number
  /** Reads an order again after it was written. */
  refresh(clientOrderId: string): Promise<OrderRow>
  putTrade(trade: TradeRow): void
  putResolution(row: ResolutionRow): void
  /** Oldest first. */
  orders(): readonly OrderRow[]
  /** Open, or with a fill that may still come to nothing. */
  unfinished(): readonly OrderRow[]
  ordersOf(coin: Coin, windowStartS: number): readonly OrderRow[]
  /** All orders of each market that is not settled and that holds something, or may. */
  unsettled(): readonly (readonly OrderRow[])[]
  /** Markets that are settled, with their orders. */
  settled(): readonly { trade: TradeRow; orders: readonly OrderRow[] }[]
  trades(): readonly TradeRow[]
  findResolution(coin: Coin, windowStartS: number): ResolutionRow | undefined
  /** Forgets what is settled and old. */
  prune(nowMs: number): void
}

/** Figures of a day need all of it, and a fill that comes to nothing on the chain does so within minutes. */
const KEPT_MS = DAY_MS + HOUR_MS
/** Of every window from then on: a loss that comes late is added to those of its day. */
const TRADES_KEPT_MS = (LATE_DAYS + 1) * DAY_MS + HOUR_MS
/** Of each broker, so that a losing streak is counted over days with few trades. */
const LAST_TRADES = 300

type Rows = Map<string, OrderRow>
type Tables = {
  orders: Rows
  byMarket: Map<string, Rows>
  byWindow: Map<string, Rows>
  trades: Map<string, TradeRow>
  resolutions: Map<string, ResolutionRow>
}

export function createLedgerView(book: BotBook): LedgerView {
  const tables: Tables = {
    orders: new Map(),
    byMarket: new Map(),
    byWindow: new Map(),
    trades: new Map(),
    resolutions: new Map(),
  }
  let version = 0
  const memo = <T>(compute: () => T) => {
    let last: { version: number; value: T } | undefined
    return (): T => {
      if (last?.version !== version) last = { version, value: compute() }
      return last.value
    }
  }
  const orders = memo(() => [...tables.orders.values()])
  const unsettled = memo(() =>
    [...tables.byMarket].flatMap(([key, rows]) => {
      const own = [...rows.values()]
      return !tables.trades.has(key) && own.some(mayHold) ? [own] : []
    }),
  )
  const settled = memo(() =>
    [...tables.byMarket].flatMap(([key, rows]) => {
      const trade = tables.trades.get(key)
      return trade ? [{ trade, orders: [...rows.values()] }] : []
    }),
  )
  return {
    async load(nowMs) {
      await loadTables(book, tables, nowMs)
      version++
    },
    get version() {
      return version
    },
    async refresh(clientOrderId) {
      const row = await book.findOrder(clientOrderId)
      if (!row) throw new ServiceError('store_unavailable', `the order ${clientOrderId} is not in the ledger`)
      putOrder(tables, row)
      version++
      return row
    },
    putTrade(trade) {
      tables.trades.set(marketKey(trade), trade)
      version++
    },
    putResolution: (row) => void tables.resolutions.set(windowKey(row), row),
    orders,
    unfinished: memo(() => orders().filter((order) => !isFinal(order))),
    ordersOf: (coin, windowStartS) => [
      ...(tables.byWindow.get(windowKey({ coin, windowStartS }))?.values() ?? []),
    ],
    unsettled,
    settled,
    trades: memo(() => [...tables.trades.values()]),
    findResolution: (coin, windowStartS) => tables.resolutions.get(windowKey({ coin, windowStartS })),
    prune(nowMs) {
      const unfinished = orders().filter((order) => !isFinal(order))
      pruneTables(tables, nowMs, new Set([...unsettled().flat(), ...unfinished].map(windowKey)))
      version++
    },
  }
}

export const marketKey = ({ broker, conditionId }: { broker: BrokerName; conditionId: string }): string =>
  `${broker} ${conditionId}`
export const windowKey = ({ coin, windowStartS }: { coin: Coin; windowStartS: number }): string =>
  `${coin}-${windowStartS}`

const BROKERS: readonly BrokerName[] = ['paper', 'polymarket']
const mayHold = (order: OrderRow): boolean => order.state === 'open' || tookSomething(order)

/** A row that is there already keeps its place, so that the oldest stays first. */
function putOrder({ orders, byMarket, byWindow }: Tables, row: OrderRow): void {
  orders.set(row.clientOrderId, row)
  for (const [index, key] of [
    [byMarket, marketKey(row)],
    [byWindow, windowKey(row)],
  ] as const) {
    const rows = index.get(key) ?? new Map()
    index.set(key, rows.set(row.clientOrderId, row))
  }
}

async function loadTables(book: BotBook, tables: Tables, nowMs: number): Promise<void> {
  const { trades, resolutions } = tables
  const sinceMs = nowMs - KEPT_MS
  const open = [...(await book.unsettledOrders()), ...(await findUnfinished(book))]
  // Only windows of which every order is read: one that is cut would be settled again with what is left of it.
  const recent = (await book.ordersSince(sinceMs)).filter((row) => row.windowStartS * 1000 >= sinceMs)
  const orders = [...open, ...recent].sort((a, b) => a.seq - b.seq)
  for (const row of orders) putOrder(tables, row)
  for (const broker of BROKERS)
    for (const row of await book.trades({ broker }, { limit: LAST_TRADES, offset: 0 }))
      trades.set(marketKey(row), row)
  // The window of an order has started before it.
  const sinceS = Math.floor(sinceMs / 1000) - WINDOW_S
  const tradesSinceS = Math.floor((nowMs - TRADES_KEPT_MS) / 1000)
  for (const row of await book.tradesSince(tradesSinceS)) trades.set(marketKey(row), row)
  for (const row of await book.resolutionsSince(sinceS)) resolutions.set(windowKey(row), row)
  for (const { broker, conditionId, coin, windowStartS } of open) {
    const trade =
      trades.get(marketKey({ broker, conditionId })) ?? (await book.findTrade(broker, conditionId))
    if (trade) trades.set(marketKey(trade), trade)
    if (resolutions.has(windowKey({ coin, windowStartS }))) continue
    const row = await book.findResolution(coin, windowStartS)
    if (row) resolutions.set(windowKey(row), row)
  }
}

/** Orders that the venue may still say something about, with all others of their markets. */
async function findUnfinished(book: BotBook): Promise<OrderRow[]> {
  const found: OrderRow[] = []
  for (const { broker, conditionId, coin, windowStartS } of await book.unfinishedOrders())
    for (const row of await book.ordersOf(coin, windowStartS))
      if (marketKey(row) === marketKey({ broker, conditionId })) found.push(row)
  return found
}

function pruneTables(tables: Tables, nowMs: number, keptWindows: ReadonlySet<string>): void {
  const { orders, byMarket, byWindow, trades, resolutions } = tables
  const sinceS = (nowMs - KEPT_MS) / 1000
  for (const [id, row] of orders) {
    if (row.windowStartS >= sinceS || keptWindows.has(windowKey(row))) continue
    orders.delete(id)
    byMarket.delete(marketKey(row))
    byWindow.delete(windowKey(row))
  }
  for (const [key, row] of resolutions)
    if (row.windowStartS < sinceS && !keptWindows.has(key)) resolutions.delete(key)
  const tradesSinceS = (nowMs - TRADES_KEPT_MS) / 1000
  // Without its trade a market that is still looked at would be settled anew.
  for (const broker of BROKERS)
    for (const row of [...trades.values()]
      .filter((trade) => trade.broker === broker)
      .sort((a, b) => b.windowStartS - a.windowStartS)
      .slice(LAST_TRADES))
      if (row.windowStartS < tradesSinceS && !byMarket.has(marketKey(row))) trades.delete(marketKey(row))
}
