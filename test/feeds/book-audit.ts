import { COINS } from '../../src/core/coin.ts'
import { type Book, type BookFault, type FeedSink, VENUES, type Venue } from '../../src/feeds/events.ts'
import type { Market } from '../../src/market/market.ts'
import { toPrice, toSize } from '../../src/sandbox/market/instrument.ts'
import type { SimulatedMarket } from '../../src/sandbox/market/simulated-market.ts'

const LEVELS_COMPARED = 5

/** `wrong`: shown as good and as of now, yet not the venue's own book at the best five levels. */
type Counts = { published: number; crossed: number; checked: number; wrong: number }

export type BookAudit = {
  books: Record<Venue, Counts>
  /** Why books were flagged, and how often. */
  lost: Map<BookFault, number>
  /** Looks at every book that is published. */
  spy(sink: FeedSink): FeedSink
  /** Looks at every book that is shown as good right now. */
  look(market: Market, simulation: SimulatedMarket): void
}

export function createBookAudit(): BookAudit {
  const none = () => ({ published: 0, crossed: 0, checked: 0, wrong: 0 })
  const books: Record<Venue, Counts> = { binance: none(), coinbase: none() }
  const lost = new Map<BookFault, number>()
  return {
    books,
    lost,
    spy: (sink) => ({
      ...sink,
      book(book) {
        books[book.venue].published++
        if (isCrossed(book)) books[book.venue].crossed++
        sink.book(book)
      },
      bookLost(event) {
        lost.set(event.fault, (lost.get(event.fault) ?? 0) + 1)
        sink.bookLost(event)
      },
    }),
    look(market, simulation) {
      for (const [venue, coin] of VENUES.flatMap((each) => COINS.map((coin) => [each, coin] as const))) {
        const view = market.book(venue, coin)
        if (!view || view.fault !== undefined) continue
        if (isCrossed(view.book)) books[venue].crossed++
        if (view.asOfMs !== simulation.nowMs()) continue
        books[venue].checked++
        if (!isTrue(view.book, simulation)) books[venue].wrong++
      }
    },
  }
}

function isCrossed({ bids, asks }: Book): boolean {
  const bid = bids[0]
  const ask = asks[0]
  return !bid || !ask || bid[0] >= ask[0]
}

function isTrue({ venue, coin, bids, asks }: Book, simulation: SimulatedMarket): boolean {
  const own = simulation.book(venue, coin)
  const instrument = simulation.instrument(venue, coin)
  const isSame = (shown: Book['bids'], levels: typeof own.bids) =>
    levels.slice(0, LEVELS_COMPARED).every(([ticks, lots], at) => {
      const level = shown[at]
      return level?.[0] === toPrice(instrument, ticks) && level[1] === toSize(instrument, lots)
    })
  return isSame(bids, own.bids) && isSame(asks, own.asks)
}
