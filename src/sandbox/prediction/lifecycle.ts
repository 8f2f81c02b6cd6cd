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
  setTrouble(trouble: VenueTrouble): void
}

export function createLifecycle(exchange: Exchange, desk: OrderDesk): Lifecycle {
  let trouble: VenueTrouble = {}
  const tell = (type: 'closed' | 'disputed' | 'resolved', { market }: Listing, atMs: number) =>
    exchange.events.emit({ type, market, atMs })
  const resolve = (listing: Listing, resolvedMs: number, nowMs: number) => {
    const { market } = listing
    market.state = 'resolved'
    market.acceptingOrders = false
    market.winner = listing.decide()
    market.resolvedMs = resolvedMs
    desk.cancelAll(listing, nowMs)
    listing.book = createOrderBook()
    tell('resolved', listing, nowMs)
  }
  return {
    advance(listing, nowMs) {
      const { market } = listing
      if (nowMs >= listing.acceptUntilMs) market.acceptingOrders = false
      if (market.state === 'open' && nowMs >= market.endsMs) {
        market.state = 'closed'
        tell('closed', listing, nowMs)
      }
      const delayMs = trouble.resolutionDelayMs ?? listing.resolutionDelayMs
      const dueMs = market.endsMs + Math.max(ORACLE_DELAY_MS, delayMs)
      if (market.state === 'closed' && nowMs >= dueMs) {
        if (!(trouble.disputed ?? listing.isDisputed)) return resolve(listing, dueMs, nowMs)
        market.state = 'disputed'
        listing.disputedUntilMs = dueMs + DISPUTE_MS
        tell('disputed', listing, nowMs)
      }
      const untilMs = listing.disputedUntilMs
      if (market.state === 'disputed' && untilMs !== undefined && nowMs >= untilMs)
        resolve(listing, untilMs, nowMs)
    },
    setTrouble(next) {
      trouble = { ...next }
    },
  }
}
