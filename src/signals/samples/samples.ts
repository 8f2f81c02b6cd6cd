import { COINS, type Coin, mapCoins } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { type MinuteSample, toSample } from './minute-sample.ts'
import { type SeenMarket, type SeenWindows, takeFlow, takeMoment } from './take-sample.ts'

/** Looks at the market at the end of every minute, and keeps what it saw for a while. */
export type Samples = {
  /**
   * Of the minute that ends at `endMs`: one object for whoever asks, so that the model learns from what it was given.
   * For the running minute, what is seen now. Undefined where nobody looked.
   */
  at(coin: Coin, endMs: number): MinuteSample | undefined
  /** From now on samples tell the price of the prediction market too, which starts after the venues. */
  follow(windows: SeenWindows): void
  stop(): void
}

const LOOK_EVERY_MS = 250
/** Later than this after the end of a minute it is another market. */
const LATE_MAX_MS = 2_000
/** Two hours: longer than it takes to read trades again that were missed. */
const MINUTES_HELD = 120

type Moment = ReturnType<typeof takeMoment>

export function createSamples({ clock, market }: { clock: Clock; market: SeenMarket }): Samples {
  const moments = mapCoins(() => new Map<number, Moment>())
  const samples = mapCoins(() => new Map<number, MinuteSample>())
  let windows: SeenWindows | undefined
  let seenMs = 0

  const look = () => {
    const nowMs = clock.now()
    const endMs = nowMs - (nowMs % MINUTE_MS)
    if (endMs === seenMs || nowMs - endMs > LATE_MAX_MS) return
    seenMs = endMs
    for (const coin of COINS) hold(moments[coin], endMs, takeMoment(market, windows, coin, endMs, nowMs))
  }
  const stop = clock.every(LOOK_EVERY_MS, look)
  return {
    at(coin, endMs) {
      const held = samples[coin].get(endMs)
      if (held) return held
      const nowMs = clock.now()
      const isRunning = nowMs < endMs && endMs - nowMs <= MINUTE_MS
      const moment = isRunning ? takeMoment(market, windows, coin, endMs, nowMs) : moments[coin].get(endMs)
      if (!moment) return undefined
      const sample = toSample({ ...moment, ...takeFlow(market, coin, endMs, nowMs) })
      if (!isRunning) hold(samples[coin], endMs, sample)
      return sample
    },
    follow(next) {
      windows = next
    },
    stop,
  }
}

function hold<T>(map: Map<number, T>, endMs: number, value: T): void {
  map.set(endMs, value)
  for (const oldest of map.keys()) {
    if (map.size <= MINUTES_HELD) return
    map.delete(oldest)
  }
}
