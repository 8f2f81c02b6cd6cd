import { COINS, type Coin, mapCoins } from '../../core/coin.ts'
import type { Level } from '../../core/level.ts'
import { createRandomStream } from '../../core/math/random.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { windowAt } from '../../core/time/window.ts'
import type { Venue } from '../../feeds/events.ts'
import type { WindowMarket } from '../../feeds/prediction/five-minute-markets.ts'
import type { ClosedCandle } from '../../signals/history/closed-candle.ts'
import type { Model } from '../../signals/model/model.ts'
import { fiveMinuteMarket } from '../prediction/five-minute-market.ts'
import { createEngineWorld, type EngineWorld } from './engine-world.ts'
import { FIRST_MS, randomCandles } from './random-candles.ts'

const LEVELS = 20
const TICK = 2 ** -8
/** The last event before the look at the end of a minute. */
const BEFORE_END_MS = 100
const DRAWS = 256

/** A market in which everything that samples tell happens, at random. */
export type SampledWorld = EngineWorld & {
  candles: Readonly<Record<Coin, readonly ClosedCandle[]>>
  /** Lives through the minute that ends at `endMs`, and the half minute after it. */
  minute(endMs: number): void
}

/** The past of `warm` minutes is there; the minutes after it are still to come. */
export function createSampledWorld({
  model,
  warm,
  count,
}: {
  model: Model
  warm: number
  count: number
}): SampledWorld {
  const candles = mapCoins((coin) =>
    randomCandles({ seed: coin, count, tick: TICK }).map((candle) => ({
      ...candle,
      volume: Number(candle.volume.toPrecision(6)),
    })),
  )
  const world = createEngineWorld(FIRST_MS + warm * MINUTE_MS, model)
  const { clock, sink, samples } = world
  for (const coin of COINS) for (const candle of candles[coin].slice(0, warm)) world.kline(coin, candle)
  const random = createRandomStream('sampled', 'world')
  const drawsAt = (endMs: number, coin: Coin) => (which: number) =>
    random.uniform(
      ((endMs - FIRST_MS) / MINUTE_MS) * DRAWS * COINS.length + COINS.indexOf(coin) * DRAWS + which,
    )
  samples.follow({ open: (coin) => windowMarket(coin, clock.now(), drawsAt(FIRST_MS, coin)) })

  const book = (venue: Venue, coin: Coin, mid: number, draw: (which: number) => number) => {
    const side = (sign: number, from: number) =>
      Array.from({ length: LEVELS }, (_, at): Level => [mid + sign * TICK * (at + 1), 0.1 + draw(from + at)])
    sink.book({ venue, coin, bids: side(-1, 0), asks: side(1, LEVELS), atMs: clock.now() })
  }
  return {
    ...world,
    candles,
    minute(endMs) {
      const closed = (coin: Coin) => candles[coin][(endMs - FIRST_MS) / MINUTE_MS - 1] as ClosedCandle
      clock.advanceTo(endMs - BEFORE_END_MS)
      for (const coin of COINS) {
        const draw = drawsAt(endMs, coin)
        world.trade(coin, endMs - BEFORE_END_MS, closed(coin).close, 'coinbase')
        book('binance', coin, closed(coin).close + TICK * Math.round(4 * draw(80)), draw)
        book('coinbase', coin, closed(coin).close, (which) => draw(100 + which))
      }
      clock.advanceTo(endMs)
      for (const coin of COINS) {
        const candle = closed(coin)
        const takerBuyVolume = candle.volume * drawsAt(endMs, coin)(90)
        sink.kline({ ...candle, venue: 'binance', coin, takerBuyVolume, trades: 9 })
        world.book(coin, endMs, candle.close)
      }
      clock.advanceTo(endMs + 30_000)
    },
  }
}

function windowMarket(coin: Coin, nowMs: number, draw: (which: number) => number): WindowMarket {
  const { startS } = windowAt(nowMs)
  const market = fiveMinuteMarket({ coin, startS })
  const mid = 0.3 + 0.4 * draw(Math.floor(nowMs / MINUTE_MS) % DRAWS)
  const bookOf = (tokenId: string, price: number) => ({
    tokenId,
    conditionId: market.conditionId,
    bids: [[price - 0.01, 10]] as const,
    asks: [[price + 0.01, 10]] as const,
    tickSize: 0.01,
    minOrderSize: 5,
    lastTradePrice: undefined,
    hash: undefined,
    atMs: nowMs,
  })
  const [up, down] = [bookOf(market.tokens.up, mid), bookOf(market.tokens.down, 1 - mid)]
  return { market, up, down, asOfMs: nowMs, marketAsOfMs: nowMs, version: 1 }
}
