import type { Coin } from '../../core/coin.ts'
import { createManualClock, type ManualClock } from '../../core/time/manual-clock.ts'
import type { Book, FeedSink, OracleTick, Trade } from '../../feeds/events.ts'
import { teeSink } from '../../feeds/tee-sink.ts'
import { createMarket, type Market } from '../../market/market.ts'
import type { ClosedCandle } from '../../signals/history/closed-candle.ts'
import { createSignalEngine, type SignalEngine } from '../../signals/live/engine.ts'
import type { Model } from '../../signals/model/model.ts'
import { createSamples, type Samples } from '../../signals/samples/samples.ts'

const HALF_SPREAD = 2 ** -8

/** A market and an engine on a manual clock, with methods that send what feeds would send. */
export type EngineWorld = {
  clock: ManualClock
  market: Market
  samples: Samples
  engine: SignalEngine
  sink: FeedSink
  /** A candle as the venue reports it. */
  kline(coin: Coin, candle: ClosedCandle): void
  trade(coin: Coin, atMs: number, price: number, venue?: Trade['venue']): void
  /** A book of the dollar venue around `mid`. */
  book(coin: Coin, atMs: number, mid: number): void
  oracle(coin: Coin, kind: OracleTick['kind'], atMs: number, price: number): void
}

export function createEngineWorld(startMs: number, model: Model): EngineWorld {
  const clock = createManualClock(startMs)
  const market = createMarket({ clock })
  const samples = createSamples({ clock, market })
  const engine = createSignalEngine({ clock, market, model, samples })
  // The market first, as in the service: the engine reads minutes from it.
  const sink = teeSink(market.sink, engine.sink)
  const ids = new Map<string, number>()
  const nextId = (pair: string) => {
    const id = (ids.get(pair) ?? 0) + 1
    ids.set(pair, id)
    return id
  }
  return {
    clock,
    market,
    samples,
    engine,
    sink,
    kline: (coin, candle) =>
      sink.kline({ ...candle, venue: 'binance', coin, takerBuyVolume: undefined, trades: undefined }),
    trade: (coin, atMs, price, venue = 'binance') =>
      sink.trade({
        venue,
        coin,
        id: nextId(`${venue} ${coin}`),
        price,
        size: 1,
        side: 'buy',
        fills: 1,
        atMs,
      }),
    book: (coin, atMs, mid) => sink.book(bookAround(coin, atMs, mid)),
    oracle: (coin, kind, atMs, price) => sink.oracle({ coin, kind, price, source: 'polybolt', atMs }),
  }
}

function bookAround(coin: Coin, atMs: number, mid: number): Book {
  return { venue: 'coinbase', coin, bids: [[mid - HALF_SPREAD, 1]], asks: [[mid + HALF_SPREAD, 1]], atMs }
}
