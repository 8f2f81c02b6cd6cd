import type { Book, BookFault, BookLost, Kline, Trade } from '../feeds/events.ts'
import { type Candle, type CandlesState, createCandles } from './candles.ts'
import { toFiveMinute } from './five-minute.ts'
import { createRing } from './ring.ts'
import { createTicker, type Ticker } from './ticker.ts'

/** A few minutes of a busy pair. */
export const TRADES_KEPT = 5_000
/** 27 hours: a day's ticker and indicators that look back two hours before it. */
export const MINUTES_KEPT = 1_620

/** `fault` says why the book must not be used; it is undefined for a good one. */
export type BookView = { book: Book; fault: BookFault | undefined; asOfMs: number }

/** A book and whether it may be used; no book was heard yet where it is undefined. */
export type BookState = { book: Book | undefined; fault: BookFault | undefined }
/** All that a pair is made of, to make the same of it in another process. Trades are oldest first. */
export type PairState = BookState & { trades: readonly Trade[]; candles: CandlesState }

/** What we know of one coin on one venue. */
export type Pair = {
  trade(trade: Trade): void
  book(book: Book): void
  bookLost(lost: BookLost): void
  kline(kline: Kline): void
  tradeDoubt(): void
  minuteLost(openMs: number): void
  readBook(): BookView | undefined
  trades(count: number): readonly Trade[]
  readonly lastTrade: Trade | undefined
  candles(count: number): readonly Candle[]
  fiveMinuteCandles(count: number): readonly Candle[]
  ticker(): Ticker | undefined
  bookState(): BookState
  setBook(state: BookState): void
  /** Shares parts with what is alive: encode it at once. */
  snapshot(): PairState
  restore(state: PairState): void
}

export function createPair(): Pair {
  const trades = createRing<Trade>({ capacity: TRADES_KEPT })
  const candles = createCandles({ capacity: MINUTES_KEPT })
  const ticker = createTicker(candles)
  let book: Book | undefined
  let fault: BookFault | undefined
  const setBook = (next: BookState) => {
    book = next.book
    fault = next.fault
  }

  return {
    trade(trade) {
      trades.push(trade)
      candles.apply(trade)
    },
    book(next) {
      book = next
      fault = undefined
    },
    bookLost(lost) {
      fault = lost.fault
    },
    kline: candles.seed,
    tradeDoubt: candles.doubtTrades,
    minuteLost: candles.markLost,
    readBook: () => book && { book, fault, asOfMs: book.atMs },
    trades: trades.last,
    get lastTrade() {
      return trades.newest
    },
    candles: candles.last,
    fiveMinuteCandles: (count) => toFiveMinute(candles.last((count + 1) * 5)).slice(-count),
    ticker: () => ticker.read(trades.newest?.atMs ?? candles.newestMs ?? 0),
    bookState: () => ({ book, fault }),
    setBook,
    snapshot: () => ({ book, fault, trades: trades.last(TRADES_KEPT), candles: candles.snapshot() }),
    restore(state) {
      setBook(state)
      trades.restore(state.trades)
      candles.restore(state.candles)
    },
  }
}
