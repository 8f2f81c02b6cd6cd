import { COINS } from '../../src/core/coin.ts'
import type { Clock } from '../../src/core/time/clock.ts'
import type { FeedSink } from '../../src/feeds/events.ts'
import { teeSink } from '../../src/feeds/tee-sink.ts'
import { createMarket } from '../../src/market/market.ts'
import { createSignalEngine, type SignalEngine } from '../../src/signals/live/engine.ts'
import { loadModel } from '../../src/signals/model/load-model.ts'
import { randomCandles } from '../../src/testing/signals/random-candles.ts'

const MINUTE_MS = 60_000
const HISTORY_MIN = 800

export type World = { sink: FeedSink; engine: SignalEngine }

/** Market and engine as the service composes them, with the minutes before the clock's time known. */
export function createWorld(clock: Clock): World {
  const market = createMarket({ clock })
  const engine = createSignalEngine({ clock, market, model: loadModel() })
  const startMs = (Math.floor(clock.now() / MINUTE_MS) - HISTORY_MIN) * MINUTE_MS
  for (const coin of COINS)
    for (const candle of randomCandles({ seed: coin, count: HISTORY_MIN, startMs }))
      market.sink.kline({ ...candle, venue: 'binance', coin, takerBuyVolume: undefined, trades: undefined })
  return { sink: teeSink(market.sink, engine.sink), engine }
}
