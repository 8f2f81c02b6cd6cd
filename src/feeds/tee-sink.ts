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
    tradeGap(gap) {
      for (const sink of sinks) sink.tradeGap(gap)
    },
    oracle(tick) {
      for (const sink of sinks) sink.oracle(tick)
    },
  }
}
