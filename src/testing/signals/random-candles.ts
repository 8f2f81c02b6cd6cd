import { createRandomStream } from '../../core/math/random.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { ClosedCandle } from '../../signals/history/closed-candle.ts'

/** A Monday at midnight UTC: the start of a window and of a day. */
export const FIRST_MS = Date.UTC(2025, 0, 6)
/** Draws taken from the stream per minute. */
const DRAWS = 8

type Wanted = {
  seed: string
  count: number
  startMs?: number
  price?: number
  /** Deviation of a minute's log return. */
  volatility?: number
  /** Weight of the moves that all seeds share; two seeds correlate with its square. */
  common?: number
  /** Autocorrelation of moves. */
  carry?: number
  /** Prices are multiples of it. */
  tick?: number
}

/** Candles of a random walk. The same seed gives the same candles, for any count. */
export function randomCandles({
  seed,
  count,
  startMs = FIRST_MS,
  price = 100,
  volatility = 6e-4,
  common = 0.6,
  carry = 0,
  tick = 2 ** -20,
}: Wanted): ClosedCandle[] {
  const own = createRandomStream(seed, 'bars')
  const all = createRandomStream('everyone', 'bars')
  const onTick = (value: number) => Math.round(value / tick) * tick
  const candles: ClosedCandle[] = []
  let log = Math.log(price)
  let move = 0
  let close = onTick(price)
  for (let minute = 0; minute < count; minute++) {
    const normal = (which: number) => own.normal(minute * DRAWS + which)
    const news = common * all.normal(minute) + Math.sqrt(1 - common * common) * normal(0)
    move = carry * move + volatility * news
    log += move
    const open = close
    close = onTick(Math.exp(log))
    const reach = (which: number) => Math.exp(0.4 * volatility * Math.abs(normal(which)))
    const high = Math.max(open, close, onTick(Math.max(open, close) * reach(1)))
    const low = Math.min(open, close, onTick(Math.min(open, close) / reach(2)))
    candles.push({
      openMs: startMs + minute * MINUTE_MS,
      open,
      high,
      low,
      close,
      volume: Math.exp(normal(3)),
    })
  }
  return candles
}

/** The candles without minutes `from` up to, not including, `to`. */
export function without(candles: readonly ClosedCandle[], from: number, to: number): ClosedCandle[] {
  return candles.filter((_, minute) => minute < from || minute >= to)
}
