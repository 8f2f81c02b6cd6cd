import type { PredictionVenue, VenueMarket } from '../../prediction/venue.ts'
import { midOf, toPrice } from './number-text.ts'

export type PricePoint = { atMs: number; price: number }
type Span = { fromMs: number; toMs: number; stepMs: number }

const MAX_POINTS = 1_500

/** Prices of a token's past, oldest first; with larger steps where there would be too many. */
export function pastPrices(venue: PredictionVenue, tokenId: string, span: Span): readonly PricePoint[] {
  const market = venue.findByToken(tokenId)
  if (!market) return []
  const fromMs = Math.max(span.fromMs, market.listedMs)
  const toMs = Math.min(span.toMs, venue.nowMs(), market.endsMs)
  const stepMs = Math.max(span.stepMs, (toMs - fromMs) / MAX_POINTS)
  const points: PricePoint[] = []
  for (let atMs = fromMs; atMs <= toMs; atMs += stepMs) {
    const priceE4 = venue.priceAt(tokenId, atMs)
    if (priceE4 !== undefined) points.push({ atMs, price: toPrice(priceE4) })
  }
  return points
}

/** How the price of a market's first token has changed in this time; undefined where it was not listed then. */
export function changeOver(venue: PredictionVenue, market: VenueMarket, spanMs: number): number | undefined {
  const [tokenId] = market.tokenIds
  const now = priceNow(venue, market)
  const before = venue.priceAt(tokenId, (market.resolvedMs ?? venue.nowMs()) - spanMs)
  if (now === undefined || before === undefined) return undefined
  return Number((now - toPrice(before)).toFixed(5))
}

function priceNow(venue: PredictionVenue, market: VenueMarket): number | undefined {
  if (market.winner !== undefined) return 1 - market.winner
  const book = venue.book(market.tokenIds[0])
  return midOf(book?.bids[0], book?.asks[0])
}
