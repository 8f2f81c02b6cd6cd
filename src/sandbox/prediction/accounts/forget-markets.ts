import type { AccountStore } from './account-store.ts'
import { holdingsOf } from './positions.ts'
import type { AccountEvent, AccountTrade } from './rows.ts'

type Store = Pick<AccountStore, 'trades' | 'events' | 'markets'>
type Row = { isTrade: boolean; row: AccountTrade | AccountEvent }

/** Trades and events of one wallet. */
const MAX_DEEDS = 20_000
const MAX_MARKETS = 20_000

/**
 * A wallet that did more than is kept loses its oldest markets, each as a whole and only where it is over for it:
 * resolved, and nothing is left to collect. What it holds, and cost and result of every market that is kept, stay exact.
 */
export function forgetMarkets(store: Store, { maxDeeds = MAX_DEEDS, maxMarkets = MAX_MARKETS } = {}): void {
  if (store.trades.count() + store.events.count() > maxDeeds)
    for (const [wallet, rows] of byName(allRows(store), ({ row }) => row.wallet.toLowerCase()))
      if (rows.length > maxDeeds) forgetOldest(store, wallet, rows, maxDeeds)
  if (store.markets.count() > maxMarkets) forgetUntraded(store)
}

function forgetOldest(store: Store, wallet: string, rows: readonly Row[], maxDeeds: number): void {
  const valuable = new Set(
    holdingsOf(store, wallet)
      .filter(({ sharesE6, market, outcomeIndex }) => sharesE6 > 0n && market.winner === outcomeIndex)
      .map(({ market }) => market.id),
  )
  let left = rows.length
  for (const [conditionId, ofMarket] of byName(rows, ({ row }) => row.conditionId)) {
    if (left <= maxDeeds) return
    const isOver = store.markets.get(conditionId)?.winner !== undefined && !valuable.has(conditionId)
    if (!isOver || ofMarket.some(isUnderWay)) continue
    for (const { isTrade, row } of ofMarket) store[isTrade ? 'trades' : 'events'].delete(row.id)
    left -= ofMarket.length
  }
}

const isUnderWay = ({ row }: Row) => 'status' in row && (row.status === 'MATCHED' || row.status === 'MINED')

/** Somebody ordered there, and nothing came of it. */
function forgetUntraded(store: Store): void {
  const traded = new Set(allRows(store).map(({ row }) => row.conditionId))
  for (const { id, winner } of store.markets.all())
    if (winner !== undefined && !traded.has(id)) store.markets.delete(id)
}

/** Oldest first. */
function allRows(store: Store): Row[] {
  const trades = store.trades.all().map((row) => ({ isTrade: true, row }))
  const events = store.events.all().map((row) => ({ isTrade: false, row }))
  return [...trades, ...events].sort((a, b) => a.row.seq - b.row.seq)
}

function byName(rows: readonly Row[], nameOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(nameOf(row)) ?? []
    group.push(row)
    groups.set(nameOf(row), group)
  }
  return groups
}
