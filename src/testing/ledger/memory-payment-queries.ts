import { parseAtomic, type Usd } from '../../core/money.ts'
import { DAY_MS } from '../../core/time/time.ts'
import type { PaymentRow } from '../../ledger/ports/payment-book.ts'
import {
  PAYERS_LISTED,
  type PayerSum,
  type PaymentBookQueries,
  type Purchased,
  type SalesOverview,
} from '../../ledger/ports/payment-book-queries.ts'
import { foldSales } from '../../ledger/totals.ts'
import type { Commit } from './commit.ts'
import type { MemoryRow, MemoryRows } from './memory-payment-rows.ts'

export function createMemoryQueries(
  { rows, isLost }: { rows: MemoryRows; isLost: (key: string) => boolean },
  commit: Commit,
  toRow: (row: MemoryRow) => PaymentRow,
): PaymentBookQueries {
  const kept = () => [...rows.values()].filter(({ key }) => !isLost(key))
  const salesOf = (exceptPayers: readonly string[]) => {
    const except = new Set(exceptPayers.map((payer) => payer.toLowerCase()))
    return kept()
      .flatMap(toSale)
      .filter(({ payer }) => !except.has(payer.toLowerCase()))
  }
  return {
    async overview(exceptPayers) {
      const [all, customers] = [foldSales(salesOf([])), foldSales(salesOf(exceptPayers))]
      const { count, revenue, perNetwork } = customers
      return {
        customers: { count, revenue },
        payers: sumPerPayer(salesOf(exceptPayers)).length,
        perNetwork,
        own: { count: all.count - count, revenue: (all.revenue - revenue) as Usd },
        lastSettledMs: [...rows.values()]
          .flatMap(toSale)
          .reduce<number | undefined>((last, { atMs }) => Math.max(last ?? 0, atMs), undefined),
        unsettled: toUnsettled([...rows.values()]),
      }
    },
    async totals({ sinceMs = 0, exceptPayers }) {
      const chosen = salesOf(exceptPayers).filter(({ atMs }) => atMs >= sinceMs)
      const perPayer = sumPerPayer(chosen)
      return { ...foldSales(chosen), payers: perPayer.length, perPayer: perPayer.slice(0, PAYERS_LISTED) }
    },
    async findByTransaction(network, transaction) {
      const wanted = transaction.toLowerCase()
      const isIt = (row: MemoryRow) => row.network === network && row.transaction?.toLowerCase() === wanted
      return [...rows.values()].filter(isIt).map(toRow)
    },
    async purchasesOf(payer, { limit, offset }) {
      const own = kept().filter((row) => row.payer === payer && row.state === 'settled')
      const newest = own.toReversed().sort((a, b) => (b.settledAtMs ?? 0) - (a.settledAtMs ?? 0))
      const revenue = own.reduce((sum, { amount }) => sum + parseAtomic(amount), 0n) as Usd
      return { count: own.length, revenue, rows: newest.slice(offset, offset + limit).map(toPurchased) }
    },
    findReceipt: async (id) => [...rows.values()].find((row) => row.id === id)?.receipt,
    purgeReplies: (beforeMs) =>
      commit(() => {
        const over = [...rows.values()].filter((row) => row.reply && isOver(row, beforeMs))
        for (const row of over) rows.set(row.key, { ...row, reply: undefined })
        return over.length
      }),
  }
}

function toUnsettled(rows: readonly MemoryRow[]): SalesOverview['unsettled'] {
  const claimedMs = rows.flatMap(({ state, claimedAtMs }) => (state === 'settling' ? claimedAtMs : []))
  return { count: claimedMs.length, oldestMs: claimedMs.length > 0 ? Math.min(...claimedMs) : undefined }
}

function toPurchased(row: MemoryRow): Purchased {
  const { id, productId, request, network, asset, amount, transaction, settledAtMs = 0, reply } = row
  const told = { id, productId, request, network, asset, amount, transaction }
  return { ...told, settledAtMs, hasReply: reply !== undefined }
}

type Sale = ReturnType<typeof toSale>[number]

function toSale({ state, settledAtMs, amount, productId, network, payer }: MemoryRow) {
  if (state !== 'settled' || settledAtMs === undefined) return []
  const day = Math.floor(settledAtMs / DAY_MS)
  return [{ day, productId, network, payer, atMs: settledAtMs, count: 1, revenue: parseAtomic(amount) }]
}

function sumPerPayer(sales: readonly Sale[]): PayerSum[] {
  const sums = new Map<string, PayerSum>()
  for (const { payer, atMs, revenue } of sales) {
    const known = sums.get(payer) ?? { payer, count: 0, revenue: 0n, firstMs: atMs, lastMs: atMs }
    sums.set(payer, {
      payer,
      count: known.count + 1,
      revenue: (known.revenue + revenue) as Usd,
      firstMs: Math.min(known.firstMs, atMs),
      lastMs: Math.max(known.lastMs, atMs),
    })
  }
  return [...sums.values()].sort((a, b) =>
    a.revenue === b.revenue ? (a.payer < b.payer ? -1 : 1) : a.revenue > b.revenue ? -1 : 1,
  )
}

function isOver({ state, settledAtMs, claimedAtMs }: MemoryRow, beforeMs: number): boolean {
  return (state === 'settled' || state === 'void') && (settledAtMs ?? claimedAtMs) < beforeMs
}
