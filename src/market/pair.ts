import type { Book, BookFault, BookLost, Kline, Trade } from '../feeds/events.ts'
import { type Candle, createCandles } from './candles.ts'
import { toFiveMinute } from './five-minute.ts'
import { createRing } from './ring.ts'
import { createTicker, type Ticker } from './ticker.ts'

/** A few minutes of a busy pair. */
const TRADES_KEPT = 5_000
/** 27 hours: a day's ticker and indicators that look back two hours before it. */
export const MINUTES_KEPT = 1_620

/** `fault` says why the book must not be used; it is undefined for a good one. */
export type BookView = { book: Book; fault: BookFault | undefined; asOfMs: number }

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
}

export function createPair(): Pair {
  const trades = createRing<Trade>({ capacity: TRADES_KEPT })
  const candles = createCandles({ capacity: MINUTES_KEPT })
  const ticker = createTicker(candles)
  let book: Book | undefined
  let fault: BookFault | undefined

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
  }
}
