import type { Coin } from '../../core/coin.ts'
import type { Level } from '../../core/level.ts'
import { findBookFault } from '../../feeds/books/book-fault.ts'
import type { Book, FeedSink } from '../../feeds/events.ts'
import { createDepthBook } from './depth-book.ts'
import type { TimedTick } from './merge.ts'

/** Recorded rows as the events that a live feed would have sent. */
export type TickFeed = {
  tick(timed: TimedTick): void
  /** Call when no more rows of the last millisecond can come: they change the book together, as one event. */
  flush(): void
  /** The recording has stalled: the book is no longer trusted. */
  stalled(atMs: number): void
  /** Rows are missing before the next one. */
  hole(): void
}

type Sink = Pick<FeedSink, 'trade' | 'book' | 'bookLost'>

export function createTickFeed(coin: Coin, sink: Sink): TickFeed {
  const depth = createDepthBook()
  let trades = 0
  let changedMs: number | undefined

  const lose = (fault: 'stalled' | NonNullable<ReturnType<typeof findBookFault>>, atMs: number) => {
    sink.bookLost({ venue: 'coinbase', coin, fault, atMs })
    sink.bookLost({ venue: 'binance', coin, fault, atMs })
  }
  const tell = (bids: readonly Level[], asks: readonly Level[], atMs: number) => {
    const fault = findBookFault(bids, asks)
    if (fault) return lose(fault, atMs)
    const book: Book = { venue: 'binance', coin, bids, asks, atMs }
    // The engine takes prices from the dollar venue. First, so that a window opens with this price.
    sink.book({ ...book, venue: 'coinbase', bids: bids.slice(0, 1), asks: asks.slice(0, 1) })
    sink.book(book)
  }
  const flush = () => {
    if (changedMs === undefined) return
    const { bids, asks } = depth.read() ?? { bids: [], asks: [] }
    tell(bids, asks, changedMs)
    changedMs = undefined
  }
  return {
    tick({ atMs, tick }) {
      if (atMs !== changedMs) flush()
      if (tick.kind === 'quote') return tell([tick.bid], [tick.ask], atMs)
      if (tick.kind === 'depth') {
        depth.change(tick, atMs)
        changedMs = atMs
        return
      }
      const { price, size, side } = tick
      depth.traded(price, side)
      sink.trade({ venue: 'binance', coin, id: ++trades, price, size, side, fills: 1, atMs })
    },
    flush,
    stalled: (atMs) => lose('stalled', atMs),
    // An id that does not follow the last one says that trades are missing.
    hole: () => void trades++,
  }
}
