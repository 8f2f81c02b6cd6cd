import type { PredictionVenue, VenueMarket } from '../../../prediction/venue.ts'
import { bookFrame } from './frames.ts'
import { createSubscriptions, type Listener } from './subscriptions.ts'
import { createTeller } from './teller.ts'
import { createToldBooks } from './told-books.ts'

/** What happens at the venue, told to those who listen. Books that nobody listens to are neither compared nor encoded. */
export type MarketChannel = {
  open(listener: Listener): void
  /** The books of these tokens as they stand; what follows are changes of exactly these. */
  subscribe(listener: Listener, tokenIds: readonly string[]): readonly BookFrame[]
  unsubscribe(listener: Listener, tokenIds: readonly string[]): void
  gone(listener: Listener): void
  close(): void
}
type BookFrame = ReturnType<typeof bookFrame>

const CLOSE_NORMAL = 1000

export function createMarketChannel(venue: PredictionVenue): MarketChannel {
  const listeners = new Set<Listener>()
  const subscriptions = createSubscriptions()
  const told = createToldBooks(venue)
  const tell = createTeller(subscriptions, told)

  const closeWhenDone = ({ assets, peer }: Listener) => {
    if (assets.size === 0) peer.close(CLOSE_NORMAL, 'all subscribed assets resolved')
  }
  const unsubscribe = (listener: Listener, tokenIds: readonly string[]) => {
    for (const tokenId of tokenIds) {
      subscriptions.remove(listener, tokenId)
      const market = venue.findByToken(tokenId)
      if (market && !subscriptions.has(market.tokenIds)) told.forget(market)
    }
  }
  const endOf = (market: VenueMarket, atMs: number) => {
    tell.resolved(market, atMs)
    told.forget(market)
    for (const listener of subscriptions.of(market.tokenIds)) {
      for (const tokenId of market.tokenIds) subscriptions.remove(listener, tokenId)
      closeWhenDone(listener)
    }
  }
  const stop = venue.onEvent((event) => {
    if (listeners.size === 0) return
    const { market } = event
    if (event.type === 'listed') tell.listed(listeners, market, event.atMs)
    if (!subscriptions.has(market.tokenIds)) return
    if (event.type === 'book' || event.type === 'listed') tell.changes(market)
    if (event.type === 'trade') tell.trade(market, event.fill)
    if (event.type === 'tick_size') tell.tickSize(market, event)
    if (event.type === 'resolved') endOf(market, event.atMs)
  })
  return {
    open: (listener) => void listeners.add(listener),
    subscribe(listener, tokenIds) {
      const books: BookFrame[] = []
      for (const tokenId of tokenIds) {
        const market = venue.findByToken(tokenId)
        if (market?.state === 'resolved') continue
        if (market) {
          tell.changes(market)
          const book = told.of(market).find((each) => each.tokenId === tokenId)
          if (book) books.push(bookFrame(market, book))
        }
        subscriptions.add(listener, tokenId)
      }
      if (tokenIds.length > 0) closeWhenDone(listener)
      return books
    },
    unsubscribe,
    gone(listener) {
      listeners.delete(listener)
      unsubscribe(listener, [...listener.assets])
    },
    close: stop,
  }
}
