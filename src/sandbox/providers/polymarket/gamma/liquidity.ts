import type { VenueBook } from '../../../prediction/venue.ts'

/** What the resting orders would pay or cost, in dollars. */
export function liquidityOf(book: VenueBook | undefined): number {
  let usdE10 = 0
  for (const [priceE4, sharesE6] of book?.bids ?? []) usdE10 += priceE4 * sharesE6
  for (const [priceE4, sharesE6] of book?.asks ?? []) usdE10 += (10_000 - priceE4) * sharesE6
  return Math.round(usdE10 / 1e5) / 1e5
}
