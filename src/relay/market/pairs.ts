import { COINS, type Coin } from '../../core/coin.ts'
import { VENUES, type Venue } from '../../feeds/events.ts'

/** Every coin on every venue. Changes name a pair by its place in this list. */
export const PAIRS: readonly { venue: Venue; coin: Coin }[] = VENUES.flatMap((venue) =>
  COINS.map((coin) => ({ venue, coin })),
)

export const pairIndex = (venue: Venue, coin: Coin): number =>
  VENUES.indexOf(venue) * COINS.length + COINS.indexOf(coin)
