import type { FeedSink } from './events.ts'

/** Passes every event to every sink, in the order given. */
export function teeSink(...sinks: readonly FeedSink[]): FeedSink {
  return {
    trade(trade) {
      for (const sink of sinks) sink.trade(trade)
    },
    book(book) {
      for (const sink of sinks) sink.book(book)
    },
    bookLost(lost) {
      for (const sink of sinks) sink.bookLost(lost)
    },
    kline(kline) {
      for (const sink of sinks) sink.kline(kline)
    },
    tradeDoubt(doubt) {
      for (const sink of sinks) sink.tradeDoubt(doubt)
    },
    minuteLost(lost) {
      for (const sink of sinks) sink.minuteLost(lost)
    },
    oracle(tick) {
      for (const sink of sinks) sink.oracle(tick)
    },
  }
}
