import { MINUTE_MS } from '../../core/time/time.ts'
import { ORACLE_DELAY_MS } from '../market/oracle.ts'
import { createOrderBook } from './book/order-book.ts'
import type { Exchange } from './exchange.ts'
import type { Listing } from './listing.ts'
import type { OrderDesk } from './orders/order-desk.ts'
import type { VenueTrouble } from './venue.ts'

/** How long a dispute takes. */
export const DISPUTE_MS = 20 * MINUTE_MS

export type Lifecycle = {
  /** Closes, disputes and resolves a market as its time comes. */
  advance(listing: Listing, nowMs: number): void
  /** The same for a market that was not listed until now: what has happened to it is not news. */
  catchUp(listing: Listing, nowMs: number): void
  setTrouble(trouble: VenueTrouble): void
}

export function createLifecycle(exchange: Exchange, desk: OrderDesk): Lifecycle {
  let trouble: VenueTrouble = {}
  const resolve = (listing: Listing, resolvedMs: number, nowMs: number) => {
    const { market } = listing
    market.state = 'resolved'
    market.acceptingOrders = false
    market.winner = listing.decide()
    market.resolvedMs = resolvedMs
    desk.cancelAll(listing, nowMs)
    listing.book = createOrderBook()
  }
  /** One step of its life if the time has come; false if not. */
  const step = (listing: Listing, nowMs: number): boolean => {
    const { market, disputedUntilMs } = listing
    if (market.state === 'open' && nowMs >= market.endsMs) {
      market.state = 'closed'
      return true
    }
    const delayMs = trouble.resolutionDelayMs ?? listing.resolutionDelayMs
    const dueMs = market.endsMs + Math.max(ORACLE_DELAY_MS, delayMs)
    if (market.state === 'closed' && nowMs >= dueMs) {
      if (trouble.disputed ?? listing.isDisputed) {
        market.state = 'disputed'
        listing.disputedUntilMs = dueMs + DISPUTE_MS
      } else resolve(listing, dueMs, nowMs)
      return true
    }
    if (market.state !== 'disputed' || disputedUntilMs === undefined || nowMs < disputedUntilMs) return false
    resolve(listing, disputedUntilMs, nowMs)
    return true
  }
  const live = (listing: Listing, nowMs: number, onStep: () => void) => {
    if (nowMs >= listing.acceptUntilMs) listing.market.acceptingOrders = false
    while (step(listing, nowMs)) onStep()
  }
  return {
    advance(listing, nowMs) {
      const { market } = listing
      live(listing, nowMs, () => {
        if (market.state !== 'open') exchange.events.emit({ type: market.state, market, atMs: nowMs })
      })
    },
    catchUp: (listing, nowMs) => live(listing, nowMs, () => {}),
    setTrouble(next) {
      trouble = { ...next }
    },
  }
}
