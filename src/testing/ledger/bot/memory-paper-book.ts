import type { PaperBook, PaperOrder, PaperPayout } from '../../../ledger/ports/paper-book.ts'
import type { Commit } from '../commit.ts'
import { unfit } from './memory-bot-rows.ts'
import { countBefore, insertSorted } from './sorted-rows.ts'

type PaperHolding = { conditionId: string; tokenId: string; sharesE6: bigint }

export type MemoryPaperRows = {
  orders: Map<string, PaperOrder>
  ordersByAge: PaperOrder[]
  /** By token. */
  payouts: Map<string, PaperPayout>
  /** By token, of those that have shares. */
  holdings: Map<string, PaperHolding>
  cashE6: bigint
}

export const createMemoryPaperRows = (): MemoryPaperRows => ({
  orders: new Map(),
  ordersByAge: [],
  payouts: new Map(),
  holdings: new Map(),
  cashE6: 0n,
})

/** The paper account for simulations. A new one with the same `rows` is the account after a restart. */
export function createMemoryPaperBook(
  rows: MemoryPaperRows,
  commit: Commit = async (apply) => apply(),
): PaperBook {
  return {
    add: (order) => commit(() => add(rows, copyOrder(order))),
    async find(clientOrderId) {
      const order = rows.orders.get(clientOrderId)
      return order && copyOrder(order)
    },
    pay: (payout) =>
      commit(() => {
        if (rows.payouts.has(payout.tokenId)) return false
        move(rows, payout, -payout.sharesE6, payout.amountE6)
        rows.payouts.set(payout.tokenId, { ...payout })
        return true
      }),
    payouts: async () => [...rows.payouts.values()].map((payout) => ({ ...payout })),
    cashFlowE6: async () => rows.cashE6,
    holdings: async () =>
      [...rows.holdings.values()]
        .map((holding) => ({ ...holding }))
        .sort((a, b) => (a.tokenId < b.tokenId ? -1 : 1)),
    async ordersSince(sinceMs) {
      const from = countBefore(rows.ordersByAge, ({ atMs }) => atMs < sinceMs)
      return rows.ordersByAge.slice(from).map(copyOrder)
    },
  }
}

const copyOrder = (order: PaperOrder): PaperOrder => ({
  ...order,
  fills: order.fills.map((fill) => ({ ...fill })),
})

function add(rows: MemoryPaperRows, order: PaperOrder): boolean {
  if (rows.orders.has(order.clientOrderId)) return false
  if (new Set(order.fills.map(({ tradeId }) => tradeId)).size < order.fills.length)
    throw unfit('a fill is there once')
  let [sharesE6, cashE6] = [0n, 0n]
  for (const fill of order.fills) {
    if (fill.state === 'failed') continue
    const isBuy = order.side === 'BUY'
    sharesE6 += isBuy ? fill.sharesE6 : -fill.sharesE6
    cashE6 += (isBuy ? -fill.notionalE6 : fill.notionalE6) - fill.feeE6
  }
  move(rows, order, sharesE6, cashE6)
  rows.orders.set(order.clientOrderId, order)
  // Not before one of the same time: it was written later.
  insertSorted(rows.ordersByAge, order, (a, b) => a.atMs <= b.atMs)
  return true
}

function move(
  rows: MemoryPaperRows,
  { conditionId, tokenId }: { conditionId: string; tokenId: string },
  sharesE6: bigint,
  cashE6: bigint,
): void {
  const held = (rows.holdings.get(tokenId)?.sharesE6 ?? 0n) + sharesE6
  if (held < 0n) throw unfit('there are not that many shares')
  if (held > 0n) rows.holdings.set(tokenId, { conditionId, tokenId, sharesE6: held })
  else rows.holdings.delete(tokenId)
  rows.cashE6 += cashE6
}
