import type { PriceE4, VenueFill, VenueMarket } from '../../../prediction/venue.ts'
import {
  bestBidAskFrame,
  bookFrame,
  lastTradeFrame,
  priceChangeFrame,
  resolvedFrame,
  tickSizeFrame,
} from './frames.ts'
import { newMarketFrame } from './new-market-frame.ts'
import type { Listener, Subscriptions } from './subscriptions.ts'
import type { ToldBooks } from './told-books.ts'

/** Turns what happened into frames for those who asked for them. A frame is encoded once. */
export function createTeller(subscriptions: Subscriptions, told: ToldBooks) {
  const send = (to: Iterable<Listener>, market: VenueMarket, makeFrame: () => unknown) => {
    let text: string | undefined
    for (const { peer } of to) {
      text ??= JSON.stringify(makeFrame())
      peer.send(`market:${market.conditionId}`, text)
    }
  }
  const custom = (of: Iterable<Listener>) => [...of].filter(({ isCustom }) => isCustom)
  const tellBooks = (market: VenueMarket) => {
    for (const book of told.of(market))
      send(subscriptions.of([book.tokenId]), market, () => bookFrame(market, book))
  }
  /** All that changed since the last frame, so that every listener's book is the venue's book again. */
  const tellChanges = (market: VenueMarket): boolean => {
    const isFirst = !told.has(market)
    const changed = told.update(market)
    // Asked for before it was listed.
    if (isFirst) tellBooks(market)
    if (changed.length === 0) return false
    send(subscriptions.of(market.tokenIds), market, () => priceChangeFrame(market, changed))
    for (const { book, isBestNew } of changed)
      if (isBestNew)
        send(custom(subscriptions.of([book.tokenId])), market, () => bestBidAskFrame(market, book))
    return true
  }
  return {
    changes: tellChanges,
    trade(market: VenueMarket, fill: VenueFill) {
      if (fill.role !== 'TAKER') return
      const isNew = tellChanges(market)
      send(subscriptions.of([fill.tokenId]), market, () => lastTradeFrame(market, fill))
      // The venue repeats the whole book after a trade.
      if (isNew) tellBooks(market)
    },
    tickSize(market: VenueMarket, tick: { oldE4: PriceE4; newE4: PriceE4; atMs: number }) {
      tellChanges(market)
      for (const tokenId of market.tokenIds)
        send(subscriptions.of([tokenId]), market, () => tickSizeFrame(market, tokenId, tick))
    },
    listed: (listeners: Iterable<Listener>, market: VenueMarket, atMs: number) =>
      send(custom(listeners), market, () => newMarketFrame(market, atMs)),
    resolved: (market: VenueMarket, atMs: number) =>
      send(custom(subscriptions.of(market.tokenIds)), market, () => resolvedFrame(market, atMs)),
  }
}
