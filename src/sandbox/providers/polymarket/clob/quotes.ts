import type { PredictionVenue, VenueBook, VenueSide } from '../../../prediction/venue.ts'
import { midOf, priceText, toPrice } from '../number-text.ts'
import { lastTradeOf } from '../wire-book.ts'
import type { LastSides } from './last-sides.ts'

/** Single figures out of a book. Undefined where the book does not have them. */
export const QUOTES = {
  /** BUY is the best bid, what buyers pay; SELL the best ask. */
  price: ({ bids, asks }: VenueBook, side: VenueSide) => {
    const best = side === 'BUY' ? bids[0] : asks[0]
    return best && priceText(best[0])
  },
  midpoint: ({ bids, asks }: VenueBook) => {
    const mid = midOf(bids[0], asks[0])
    return mid === undefined ? undefined : String(Number(mid.toFixed(5)))
  },
  spread: ({ bids, asks }: VenueBook) =>
    bids[0] && asks[0] ? String(toPrice(asks[0][0] - bids[0][0])) : undefined,
}

/** Undefined where nothing was traded since the venue was started. */
export function findLastTrade(venue: PredictionVenue, sides: LastSides, tokenId: string) {
  const market = venue.findByToken(tokenId)
  const priceE4 = market && lastTradeOf(market, tokenId)
  const side = sides.of(tokenId)
  return priceE4 === undefined || !side ? undefined : { price: priceText(priceE4), side }
}

export function findSide(text: unknown): VenueSide | undefined {
  if (typeof text !== 'string') return undefined
  const side = text.toUpperCase()
  return side === 'BUY' || side === 'SELL' ? side : undefined
}
