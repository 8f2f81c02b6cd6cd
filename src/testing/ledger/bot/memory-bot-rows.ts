import { ServiceError } from '../../../core/service-error.ts'
import type {
  BossSignalRow,
  BreakerRow,
  BrokerName,
  ConfigRow,
  DecisionRow,
  OrderRow,
  RedemptionRow,
  ResolutionRow,
  TradeRow,
} from '../../../ledger/ports/bot-book.ts'

/** All of one market under one broker. */
export type MemoryMarket = {
  /** Client order ids, oldest first. */
  orders: string[]
  trade: TradeRow | undefined
  redemption: RedemptionRow | undefined
}

/** What would be on disk, with its indexes. Rows are never changed in place, only replaced. */
export type MemoryBotRows = {
  /** In the order in which they were written. */
  decisions: DecisionRow[]
  decisionsOf: Map<string, DecisionRow[]>
  orders: Map<string, OrderRow>
  /** By creation, then number. */
  ordersByAge: { createdMs: number; seq: number; clientOrderId: string }[]
  ordersOf: Map<string, string[]>
  open: Set<string>
  /** Client order id by the venue's id. */
  named: Map<string, string>
  markets: Map<string, MemoryMarket>
  /** Keys of markets. */
  unsettled: Set<string>
  winningShares: Map<string, bigint>
  resolutions: Map<string, ResolutionRow>
  /** By window, then coin. */
  resolutionsByAge: ResolutionRow[]
  /** By window, coin, broker and market. */
  trades: TradeRow[]
  redemptions: Map<string, RedemptionRow>
  configs: ConfigRow[]
  breaker: BreakerRow[]
  bossSignals: BossSignalRow[]
}

export const createMemoryBotRows = (): MemoryBotRows => ({
  decisions: [],
  decisionsOf: new Map(),
  orders: new Map(),
  ordersByAge: [],
  ordersOf: new Map(),
  open: new Set(),
  named: new Map(),
  markets: new Map(),
  unsettled: new Set(),
  winningShares: new Map(),
  resolutions: new Map(),
  resolutionsByAge: [],
  trades: [],
  redemptions: new Map(),
  configs: [],
  breaker: [],
  bossSignals: [],
})

export const windowKey = (coin: string, windowStartS: number) => `${windowStartS} ${coin}`
export const marketKey = (broker: BrokerName, conditionId: string) => `${broker} ${conditionId}`

export function marketOf(rows: MemoryBotRows, key: string): MemoryMarket {
  const known = rows.markets.get(key)
  if (known) return known
  const market: MemoryMarket = { orders: [], trade: undefined, redemption: undefined }
  rows.markets.set(key, market)
  return market
}

/** Brings the lists of unsettled and unredeemed markets up to date, after anything in the market has changed. */
export function refreshMarket(rows: MemoryBotRows, key: string): void {
  const market = marketOf(rows, key)
  const orders = market.orders.map((id) => rows.orders.get(id) as OrderRow)
  const { trade, redemption } = market
  const mayHold = orders.some(({ state, fills }) => state === 'open' || fills.some(isLive))
  if (mayHold && !trade) rows.unsettled.add(key)
  else rows.unsettled.delete(key)
  const won = trade && redemption?.state !== 'done' ? payingShares(rows, orders, trade) : 0n
  if (won > 0n) rows.winningShares.set(key, won)
  else rows.winningShares.delete(key)
}

const isLive = ({ state }: { state: string }) => state !== 'failed'

function payingShares(rows: MemoryBotRows, orders: readonly OrderRow[], trade: TradeRow): bigint {
  const payoutUpE6 = rows.resolutions.get(windowKey(trade.coin, trade.windowStartS))?.payoutUpE6 ?? 0n
  const isSplit = payoutUpE6 > 0n && payoutUpE6 < 1_000_000n
  const shares = isSplit ? sharesOf(orders, 'UP') + sharesOf(orders, 'DOWN') : sharesOf(orders, trade.outcome)
  return shares > 0n ? shares : 0n
}

function sharesOf(orders: readonly OrderRow[], outcome: string): bigint {
  let shares = 0n
  for (const { side, fills, ...order } of orders) {
    if (order.outcome !== outcome) continue
    for (const fill of fills.filter(isLive)) shares += side === 'BUY' ? fill.sharesE6 : -fill.sharesE6
  }
  return shares
}

/** A copy: what a caller does to it must not change the ledger. */
export const copyOrder = (order: OrderRow): OrderRow => ({
  ...order,
  fee: order.fee && { ...order.fee },
  fills: order.fills.map((fill) => ({ ...fill })),
})

/** What the rules of a database's tables refuse. */
export const unfit = (message: string) => new ServiceError('store_unavailable', message)
