import type { Usd } from '../core/money.ts'
import type { PaymentTotals, Sum } from './ports/payment-book-queries.ts'

/**
 * Settled payments of one day, product and network. There may be several groups of the same three, also some that take
 * away: what comes to no payment at all is not listed.
 */
export type SalesGroup = Sum & { day: number; productId: string; network: string }

export function foldSales(
  groups: readonly SalesGroup[],
): Pick<PaymentTotals, 'count' | 'revenue' | 'perProduct' | 'perNetwork' | 'perDay'> {
  const all = addUp(groups, () => 'all').get('all') ?? { count: 0, revenue: 0n as Usd }
  const listed = <Key>(keyOf: (group: SalesGroup) => Key) =>
    [...addUp(groups, keyOf)].filter(([, { count }]) => count > 0)
  const named = (keyOf: (group: SalesGroup) => string) => listed(keyOf).sort(byRevenue)
  return {
    ...all,
    perProduct: named((group) => group.productId).map(([productId, sum]) => ({ productId, ...sum })),
    perNetwork: named((group) => group.network).map(([network, sum]) => ({ network, ...sum })),
    perDay: listed((group) => group.day)
      .sort(([a], [b]) => a - b)
      .map(([day, sum]) => ({ day, ...sum })),
  }
}

function addUp<Key>(groups: readonly SalesGroup[], keyOf: (group: SalesGroup) => Key): Map<Key, Sum> {
  const sums = new Map<Key, Sum>()
  for (const group of groups) {
    const key = keyOf(group)
    const { count, revenue } = sums.get(key) ?? { count: 0, revenue: 0n }
    sums.set(key, { count: count + group.count, revenue: (revenue + group.revenue) as Usd })
  }
  return sums
}

/** Most revenue first, then by name, so that every store returns the same order. */
function byRevenue([nameA, a]: readonly [string, Sum], [nameB, b]: readonly [string, Sum]): number {
  if (a.revenue !== b.revenue) return a.revenue > b.revenue ? -1 : 1
  return nameA < nameB ? -1 : 1
}
