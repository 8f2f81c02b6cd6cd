import type { BotOrders, FillRow, OrderRow, PlannedOrder } from '../../../ledger/ports/bot-book.ts'
import type { Commit } from '../commit.ts'
import {
  copyOrder,
  type MemoryBotRows,
  marketKey,
  marketOf,
  refreshMarket,
  unfit,
  windowKey,
} from './memory-bot-rows.ts'
import { writeDecision } from './memory-controls.ts'
import { countBefore, insertSorted } from './sorted-rows.ts'

export function createMemoryOrders(rows: MemoryBotRows, commit: Commit): BotOrders {
  const list = (ids: Iterable<string>) => [...ids].map((id) => copyOrder(orderOf(rows, id)))
  return {
    planOrder: (order, { decision, bossSignal }) =>
      commit(() => {
        const signal = bossSignal === undefined ? undefined : rows.bossSignals[bossSignal - 1]
        const isSpent = bossSignal !== undefined && (!signal || signal.usedMs !== undefined)
        if (rows.orders.has(order.clientOrderId) || isSpent) return false
        refuseUnfit(order)
        if (decision && !writeDecision(rows, decision)) return false
        if (signal) rows.bossSignals[signal.seq - 1] = { ...signal, usedMs: order.createdMs }
        insert(rows, order)
        return true
      }),
    nameOrder: (clientOrderId, orderId) => commit(() => name(rows, clientOrderId, orderId)),
    noteAccepted: (clientOrderId, acceptedMs) =>
      commit(() => {
        const order = orderOf(rows, clientOrderId)
        replace(rows, { ...order, acceptedMs: order.acceptedMs ?? acceptedMs })
      }),
    putFills: (clientOrderId, fills) =>
      commit(() => {
        const order = orderOf(rows, clientOrderId)
        // One that is known keeps its amounts, whatever comes with it later.
        const merged = mergeFills(order.fills, fills)
        if (merged.some(({ sharesE6 }) => sharesE6 <= 0n)) throw unfit('a fill is of shares')
        replace(rows, { ...order, fills: merged })
      }),
    closeOrder: (clientOrderId, closedMs, note) =>
      commit(() => {
        const order = orderOf(rows, clientOrderId)
        if (order.state === 'closed') return
        rows.open.delete(clientOrderId)
        replace(rows, { ...order, state: 'closed', closedMs, note })
      }),
    async findOrder(clientOrderId) {
      const order = rows.orders.get(clientOrderId)
      return order && copyOrder(order)
    },
    openOrders: async () => list(rows.open),
    async unfinishedOrders() {
      const isUnfinished = ({ state, fills }: OrderRow) =>
        state === 'open' || fills.some((fill) => fill.state === 'matched')
      return [...rows.orders.values()].filter(isUnfinished).map(copyOrder)
    },
    hasOrdered: async (broker, conditionId, tokenId) =>
      marketOf(rows, marketKey(broker, conditionId)).orders.some(
        (id) => orderOf(rows, id).tokenId === tokenId,
      ),
    ordersOf: async (coin, windowStartS) => list(rows.ordersOf.get(windowKey(coin, windowStartS)) ?? []),
    async ordersSince(sinceMs) {
      const from = countBefore(rows.ordersByAge, ({ createdMs }) => createdMs < sinceMs)
      return list(rows.ordersByAge.slice(from).map(({ clientOrderId }) => clientOrderId))
    },
    async unsettledOrders() {
      const ids = [...rows.unsettled].flatMap((key) => marketOf(rows, key).orders)
      return list(ids).sort((a, b) => a.seq - b.seq)
    },
  }
}

function orderOf(rows: MemoryBotRows, clientOrderId: string): OrderRow {
  const order = rows.orders.get(clientOrderId)
  if (!order) throw new Error(`there is no order ${clientOrderId}`)
  return order
}

function insert(rows: MemoryBotRows, order: PlannedOrder): void {
  const { clientOrderId, createdMs } = order
  const seq = rows.orders.size + 1
  const unknown = { orderId: undefined, acceptedMs: undefined, closedMs: undefined, note: undefined }
  rows.open.add(clientOrderId)
  insertSorted(
    rows.ordersByAge,
    { createdMs, seq, clientOrderId },
    (a, b) => a.createdMs < b.createdMs || (a.createdMs === b.createdMs && a.seq < b.seq),
  )
  const window = windowKey(order.coin, order.windowStartS)
  rows.ordersOf.set(window, [...(rows.ordersOf.get(window) ?? []), clientOrderId])
  marketOf(rows, marketKey(order.broker, order.conditionId)).orders.push(clientOrderId)
  replace(rows, { ...copyOrder({ ...order, seq, state: 'open', ...unknown, fills: [] }) })
}

function replace(rows: MemoryBotRows, order: OrderRow): void {
  rows.orders.set(order.clientOrderId, order)
  refreshMarket(rows, marketKey(order.broker, order.conditionId))
}

function name(rows: MemoryBotRows, clientOrderId: string, orderId: string): void {
  const order = orderOf(rows, clientOrderId)
  if (order.orderId === orderId) return
  if (order.orderId !== undefined) throw unfit('an order keeps its id')
  const key = `${order.broker} ${orderId}`
  if (rows.named.has(key)) throw unfit('two orders cannot have one id')
  rows.named.set(key, clientOrderId)
  replace(rows, { ...order, orderId })
}

/** The newest hash counts until the fill is final, since a transaction may be sent again; then the first one. */
function mergeFills(known: readonly FillRow[], given: readonly FillRow[]): FillRow[] {
  const fills = new Map(known.map((fill) => [fill.tradeId, fill]))
  for (const fill of given) {
    const before = fills.get(fill.tradeId)
    const { state, transactionHash } = fill
    if (!before) fills.set(fill.tradeId, { ...fill })
    else if (before.state === 'matched')
      fills.set(fill.tradeId, {
        ...before,
        state,
        transactionHash: transactionHash ?? before.transactionHash,
      })
    else fills.set(fill.tradeId, { ...before, transactionHash: before.transactionHash ?? transactionHash })
  }
  return [...fills.values()]
}

function refuseUnfit({ spendE6, sharesE6, side, priceE4, maxFeeE6 }: PlannedOrder): void {
  const isOfOne = side === 'BUY' ? sharesE6 === undefined : spendE6 === undefined
  const isWhole = isOfOne && (spendE6 ?? sharesE6 ?? 0n) > 0n
  if (!isWhole) throw unfit('a purchase is of dollars, a sale of shares, above zero')
  if (!(priceE4 > 0 && priceE4 < 10_000))
    throw unfit('a share costs more than nothing and less than a dollar')
  if (maxFeeE6 < 0n) throw unfit('a fee cannot be below zero')
}
