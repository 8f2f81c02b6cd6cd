import { createOrderBook, type OrderBook } from './book/order-book.ts'
import type { VenueMarket } from './venue.ts'

/** A market with what the venue alone knows about it. */
export type Listing = {
  market: VenueMarket
  book: OrderBook
  /** Of the last change of the book. */
  changedMs: number
  /** Orders are taken until then, which may be before or after the end. */
  acceptUntilMs: number
  /** From the end to the resolution, or to the dispute. */
  resolutionDelayMs: number
  isDisputed: boolean
  /** A dispute is settled then. */
  disputedUntilMs: number | undefined
  /** Which outcome won; asked once the end has passed and its prices are published. */
  decide: () => 0 | 1
  /** Probability of the first outcome as the public could know it then. */
  fairAt: (atMs: number) => number
}

export type ListingInput = Pick<
  Listing,
  'acceptUntilMs' | 'resolutionDelayMs' | 'isDisputed' | 'decide' | 'fairAt'
> & {
  market: Omit<VenueMarket, 'state' | 'acceptingOrders' | 'winner' | 'resolvedMs'>
  nowMs: number
}

export function createListing({ market, nowMs, ...plan }: ListingInput): Listing {
  return {
    ...plan,
    market: {
      ...market,
      state: 'open',
      acceptingOrders: nowMs < plan.acceptUntilMs,
      winner: undefined,
      resolvedMs: undefined,
    },
    book: createOrderBook(),
    changedMs: nowMs,
    disputedUntilMs: undefined,
  }
}
