import { DEAF } from './deaf-sink.ts'
import type { FeedSink, Trade } from './events.ts'

/** Those who hear every trade, and nothing else. */
export type TradeListeners = {
  sink: FeedSink
  /** The returned function ends it. */
  onTrade(listener: (trade: Trade) => void): () => void
}

export function createTradeListeners(): TradeListeners {
  const listeners = new Set<(trade: Trade) => void>()
  return {
    sink: {
      ...DEAF,
      trade(trade) {
        for (const listener of listeners) listener(trade)
      },
    },
    onTrade(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
