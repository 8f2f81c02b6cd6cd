import type { Coin } from '../../core/coin.ts'
import { MINUTE_MS } from '../../core/time.ts'
import type { Venue } from '../../feeds/events.ts'
import type { Candle } from '../../market/candles.ts'
import type { Market } from '../../market/market.ts'
import { MINUTES_KEPT } from '../../market/pair.ts'
import type { Bar } from './bar.ts'

/** The USDT venue has by far the most trades: its minutes are what the model was fitted to. */
export const MINUTES_FROM: Venue = 'binance'
/** Trades of a minute may arrive this late. */
export const MINUTE_GRACE_MS = 1_000
/** A minute with missing trades is waited for this long, then passed over: a gap is better than a wrong bar. */
const REPAIR_WAIT_MS = 15_000

/** Minutes of a coin that closed after `afterMs` and are whole, oldest first; stops at one that is still being repaired. */
export function closedMinutes(
  market: Pick<Market, 'candles'>,
  coin: Coin,
  afterMs: number,
  nowMs: number,
): Bar[] {
  const settledMs = nowMs - MINUTE_GRACE_MS
  const behind = Math.ceil((nowMs - afterMs) / MINUTE_MS) + 1
  const bars: Bar[] = []
  for (const candle of market.candles(MINUTES_FROM, coin, Math.min(MINUTES_KEPT, Math.max(2, behind)))) {
    const endMs = candle.openMs + MINUTE_MS
    if (candle.openMs < afterMs || endMs > settledMs) continue
    if (candle.complete) bars.push(toBar(candle))
    else if (nowMs - endMs < REPAIR_WAIT_MS) break
  }
  return bars
}

/** The minute that ends at `endMs` as if it closed now; without a trade yet it repeats the close before it. Not told while trades of it are missing. */
export function runningMinute(market: Pick<Market, 'candles'>, coin: Coin, endMs: number): Bar | undefined {
  const [newest] = market.candles(MINUTES_FROM, coin, 1)
  if (!newest) return undefined
  if (newest.openMs === endMs - MINUTE_MS) return newest.complete ? toBar(newest) : undefined
  const { close } = newest
  return newest.openMs === endMs - 2 * MINUTE_MS
    ? { openMs: endMs - MINUTE_MS, open: close, high: close, low: close, close, volume: 0 }
    : undefined
}

function toBar({ openMs, open, high, low, close, volume }: Candle): Bar {
  return { openMs, open, high, low, close, volume }
}
