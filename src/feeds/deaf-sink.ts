import type { FeedSink } from './events.ts'

/** Takes every event and does nothing with it. */
export const DEAF: FeedSink = {
  trade() {},
  book() {},
  bookLost() {},
  kline() {},
  tradeDoubt() {},
  minuteLost() {},
  oracle() {},
}
