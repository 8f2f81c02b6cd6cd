import { createRandomStream } from '../../core/math/random.ts'
import { MINUTE_MS } from '../../core/time.ts'
import type { Bar } from '../../signals/history/bar.ts'

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
  /** Share of each move that all seeds have in common, as a correlation. */
  common?: number
  /** What a move hands on to the next one. */
  carry?: number
  /** Prices are multiples of it. */
  tick?: number
}

/** Minutes of a random walk; the same seed gives the same minutes, however many are asked for. */
export function randomBars({
  seed,
  count,
  startMs = FIRST_MS,
  price = 100,
  volatility = 6e-4,
  common = 0.6,
  carry = 0,
  tick = 2 ** -20,
}: Wanted): Bar[] {
  const own = createRandomStream(seed, 'bars')
  const all = createRandomStream('everyone', 'bars')
  const onTick = (value: number) => Math.round(value / tick) * tick
  const bars: Bar[] = []
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
    bars.push({ openMs: startMs + minute * MINUTE_MS, open, high, low, close, volume: Math.exp(normal(3)) })
  }
  return bars
}

/** The bars without those of these minutes. */
export function without(bars: readonly Bar[], from: number, to: number): Bar[] {
  return bars.filter((_, minute) => minute < from || minute >= to)
}
