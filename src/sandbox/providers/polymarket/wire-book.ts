import { createHash } from 'node:crypto'
import type { PredictionVenue, VenueBook, VenueLevel, VenueMarket } from '../../prediction/venue.ts'
import { amountText, otherSide, priceText, tradePriceText } from './number-text.ts'

export type WireLevel = { price: string; size: string }
/** A book as it stands, in the words of the wire. */
export type WireBook = {
  market: string
  asset_id: string
  timestamp: string
  hash: string
  bids: readonly WireLevel[]
  asks: readonly WireLevel[]
  min_order_size: string
  tick_size: string
  neg_risk: boolean
  last_trade_price: string
}

/** Undefined for an unknown token, and once the market is resolved. */
export function findWireBook(venue: PredictionVenue, tokenId: string): WireBook | undefined {
  const market = venue.findByToken(tokenId)
  const book = market && venue.book(tokenId)
  return book && toWireBook(market, book)
}

export function toWireBook(market: VenueMarket, book: VenueBook): WireBook {
  const sides = { bids: worstFirst(book.bids), asks: worstFirst(book.asks) }
  return {
    market: market.conditionId,
    asset_id: book.tokenId,
    timestamp: String(book.atMs),
    hash: hashOf(market, book),
    ...sides,
    min_order_size: amountText(market.minShares),
    tick_size: priceText(market.tickE4),
    neg_risk: false,
    last_trade_price: tradePriceText(lastTradeOf(market, book.tokenId)),
  }
}

/** The venue notes the last trade for the first token; the other one traded at what is left of a dollar. */
export function lastTradeOf(market: VenueMarket, tokenId: string): number | undefined {
  if (market.lastTradeE4 === undefined) return undefined
  return tokenId === market.tokenIds[0] ? market.lastTradeE4 : otherSide(market.lastTradeE4)
}

/** SHA-1 over what rests in the book: equal books have equal hashes, whenever they are read. */
export function hashOf(market: VenueMarket, { tokenId, bids, asks }: VenueBook): string {
  const text = JSON.stringify([market.conditionId, tokenId, bids, asks])
  return createHash('sha1').update(text).digest('hex')
}

function worstFirst(levels: readonly VenueLevel[]): readonly WireLevel[] {
  return levels.map(([price, shares]) => ({ price: priceText(price), size: amountText(shares) })).reverse()
}
