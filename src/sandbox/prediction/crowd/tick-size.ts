import { DOLLAR_E4 } from '../book/amounts.ts'
import type { Exchange } from '../exchange.ts'
import type { Listing } from '../listing.ts'

export const COARSE_TICK_E4 = 100
export const FINE_TICK_E4 = 10
/** Above it, and below a dollar less it, prices get the fine tick. */
const FINE_ABOVE_E4 = 9_600

export function isFine(price: number): boolean {
  return Math.max(price, 1 - price) > FINE_ABOVE_E4 / DOLLAR_E4
}

/** Prices near the ends get a finer tick, once and for good. */
export function refineTick({ events }: Exchange, { market, book }: Listing, atMs: number): void {
  if (market.tickE4 === FINE_TICK_E4) return
  const [bid, ask] = [book.best(true), book.best(false)]
  const mid = ((bid ?? ask ?? DOLLAR_E4 / 2) + (ask ?? bid ?? DOLLAR_E4 / 2)) / 2
  if (!isFine(mid / DOLLAR_E4)) return
  market.tickE4 = FINE_TICK_E4
  events.emit({ type: 'tick_size', market, oldE4: COARSE_TICK_E4, newE4: FINE_TICK_E4, atMs })
}
