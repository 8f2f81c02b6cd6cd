import type { Exchange } from '../exchange.ts'
import type { Listing } from '../listing.ts'
import { OrderRefused, type OrderState, type VenueFill, type VenueOrder } from '../venue.ts'
import { createKeptOrders, type KeptOrder, MAX_OPEN_ORDERS } from './kept-orders.ts'
import { createOpenOrders, toTaker } from './open-orders.ts'
import { checkAgainstBook, checkOrder } from './order-rules.ts'

/** Marketable orders in the five-minute markets wait, so that makers can withdraw (2026-09: 150 ms). */
export const TAKER_DELAY_MS = 150

/** The orders of those who are not simulated. */
export type OrderDesk = {
  place(listing: Listing, order: VenueOrder, nowMs: number): OrderState
  cancel(orderId: string, nowMs: number): boolean
  /** Matches the delayed orders that are due and ends those that have expired. */
  advanceTo(nowMs: number): void
  /** The market is resolved: its orders are no more. */
  cancelAll(listing: Listing, nowMs: number): void
  order(orderId: string): OrderState | undefined
  orders(wallet: string): readonly OrderState[]
  fills(wallet: string): readonly VenueFill[]
}

export function createOrderDesk(exchange: Exchange): OrderDesk {
  const kept = createKeptOrders()
  const open = createOpenOrders(exchange, kept)
  return {
    place(listing, wanted, nowMs) {
      checkOrder(wanted, listing.market, nowMs)
      if (kept.find(wanted.id)) throw new OrderRefused(`order ${wanted.id} is invalid. Duplicated.`)
      if (open.countOf(wanted.wallet) >= MAX_OPEN_ORDERS) throw new OrderRefused('too many open orders')
      const state: OrderState = { ...wanted, filledE6: 0, status: 'live', createdMs: nowMs }
      const order: KeptOrder = { state, listing, resting: undefined, dueMs: undefined }
      const plan = listing.book.plan(toTaker(order))
      checkAgainstBook(wanted, plan)
      kept.add(order)
      if (plan.matches.length === 0) open.rest(order, nowMs)
      else if (listing.market.series) open.delay(order, nowMs, nowMs + TAKER_DELAY_MS)
      else open.match(order, nowMs)
      exchange.flush(listing, nowMs)
      return { ...state }
    },
    cancel(orderId, nowMs) {
      const order = kept.find(orderId)
      if (order?.state.status !== 'live') return false
      open.end(order, 'canceled', nowMs)
      exchange.flush(order.listing, nowMs)
      return true
    },
    advanceTo(nowMs) {
      for (const order of [...open.all()]) {
        const { dueMs, state, listing } = order
        // One that was filled by another of this loop is no longer open.
        if (state.status === 'matched' || (dueMs !== undefined && nowMs < dueMs)) continue
        if (state.expiresMs !== undefined && nowMs >= state.expiresMs) open.end(order, 'expired', nowMs)
        else if (dueMs !== undefined) open.match(order, nowMs)
        else continue
        exchange.flush(listing, nowMs)
      }
    },
    cancelAll(listing, nowMs) {
      for (const order of [...open.all()]) if (order.listing === listing) open.end(order, 'canceled', nowMs)
    },
    order(orderId) {
      const order = kept.find(orderId)
      return order && { ...order.state }
    },
    orders: kept.of,
    fills: kept.fills,
  }
}
