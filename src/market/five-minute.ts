import { WINDOW_S } from '../core/time/window.ts'
import type { Candle } from './candles.ts'

const WINDOW_MS = WINDOW_S * 1000

/** One-minute candles joined into five-minute ones, aligned to the windows; the last may still be open. */
export function toFiveMinute(minutes: readonly Candle[]): readonly Candle[] {
  const joined: Candle[] = []
  for (const minute of minutes) {
    const openMs = minute.openMs - (minute.openMs % WINDOW_MS)
    const current = joined.at(-1)
    if (current?.openMs === openMs) joined[joined.length - 1] = join(current, minute)
    // Without its first minute a window would have a wrong open and volume.
    else if (minute.openMs === openMs) joined.push({ ...minute })
  }
  return joined
}

function join(earlier: Candle, later: Candle): Candle {
  return {
    openMs: earlier.openMs,
    open: earlier.open,
    high: Math.max(earlier.high, later.high),
    low: Math.min(earlier.low, later.low),
    close: later.close,
    volume: earlier.volume + later.volume,
    takerBuyVolume: sum(earlier.takerBuyVolume, later.takerBuyVolume),
    trades: sum(earlier.trades, later.trades),
    complete: earlier.complete && later.complete,
    isFinal: earlier.isFinal && later.isFinal,
    isLost: earlier.isLost || later.isLost,
  }
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b
}
