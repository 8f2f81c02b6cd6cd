import type { Resting } from '../book/order-book.ts'
import type { Listing } from '../listing.ts'
import type { OrderState, VenueFill } from '../venue.ts'

/** An order that a wallet placed. */
export type KeptOrder = {
  state: OrderState
  listing: Listing
  /** While it is in the book. */
  resting: Resting | undefined
  /** While it is delayed. */
  dueMs: number | undefined
}

/** The orders and fills of every wallet that has traded, the oldest ones forgotten beyond the limits. */
export type KeptOrders = {
  add(order: KeptOrder): void
  addFill(fill: VenueFill): void
  find(orderId: string): KeptOrder | undefined
  /** Oldest first. */
  of(wallet: string): readonly OrderState[]
  /** Newest first. */
  fills(wallet: string): readonly VenueFill[]
}

export const MAX_OPEN_ORDERS = 500
/** Ended orders are kept beside the open ones up to this number of both. */
export const MAX_ORDERS_KEPT = 5_000
export const MAX_FILLS_KEPT = 20_000
/** Wallets exist on the local chain first, one transaction each: this many are never made by accident. */
export const MAX_WALLETS_KEPT = 1_000

type Account = { orders: Map<string, KeptOrder>; fills: VenueFill[] }

export function createKeptOrders(): KeptOrders {
  const accounts = new Map<string, Account>()
  const byId = new Map<string, KeptOrder>()
  const accountOf = (wallet: string) => {
    const known = accounts.get(wallet)
    if (known) return known
    const made: Account = { orders: new Map(), fills: [] }
    accounts.set(wallet, made)
    if (accounts.size > MAX_WALLETS_KEPT) forgetIdle(accounts, byId)
    return made
  }
  return {
    add(order) {
      const { orders } = accountOf(order.state.wallet)
      orders.set(order.state.id, order)
      byId.set(order.state.id, order)
      if (orders.size <= MAX_ORDERS_KEPT) return
      for (const [id, old] of orders)
        if (!isOpen(old)) {
          orders.delete(id)
          byId.delete(id)
          return
        }
    },
    addFill(fill) {
      const { fills } = accountOf(fill.wallet)
      if (fills.push(fill) > MAX_FILLS_KEPT) fills.shift()
    },
    find: (orderId) => byId.get(orderId),
    of: (wallet) => [...(accounts.get(wallet)?.orders.values() ?? [])].map(({ state }) => ({ ...state })),
    fills: (wallet) => accounts.get(wallet)?.fills.toReversed() ?? [],
  }
}

export function isOpen({ state }: KeptOrder): boolean {
  return state.status === 'live' || state.status === 'delayed'
}

/** The oldest wallet without an open order. */
function forgetIdle(accounts: Map<string, Account>, byId: Map<string, KeptOrder>): void {
  for (const [wallet, { orders }] of accounts) {
    if ([...orders.values()].some(isOpen)) continue
    for (const id of orders.keys()) byId.delete(id)
    accounts.delete(wallet)
    return
  }
}
