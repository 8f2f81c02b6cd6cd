import type { Coin } from '../../core/coin.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { Venue } from '../../feeds/events.ts'
import type { Candle } from '../../market/candles.ts'
import type { Market } from '../../market/market.ts'
import { MINUTES_KEPT } from '../../market/pair.ts'
import type { ClosedCandle } from './closed-candle.ts'

/** The USDT venue has by far the most trades: the model was fitted to its minutes, and indicators read it. */
export const SIGNAL_VENUE: Venue = 'binance'
/** Trades of a minute may arrive this late. */
export const MINUTE_GRACE_MS = 1_000
/** A minute with missing trades is skipped after this wait: a gap is better than a wrong candle. */
const REPAIR_WAIT_MS = 15_000

/** Complete minutes of a coin that opened at `afterMs` or later, oldest first, up to the first that is still being repaired. */
export function closedMinutes(
  market: Pick<Market, 'candles'>,
  coin: Coin,
  afterMs: number,
  nowMs: number,
): ClosedCandle[] {
  const settledMs = nowMs - MINUTE_GRACE_MS
  const behind = Math.ceil((nowMs - afterMs) / MINUTE_MS) + 1
  const candles: ClosedCandle[] = []
  for (const candle of market.candles(SIGNAL_VENUE, coin, Math.min(MINUTES_KEPT, Math.max(2, behind)))) {
    const endMs = candle.openMs + MINUTE_MS
    if (candle.openMs < afterMs || endMs > settledMs) continue
    if (candle.complete) candles.push(toClosedCandle(candle))
    else if (nowMs - endMs < REPAIR_WAIT_MS) break
  }
  return candles
}

/** The minute that ends at `endMs`, as if it closed now. Without trades it repeats the last close. Undefined while trades are missing. */
export function runningMinute(
  market: Pick<Market, 'candles'>,
  coin: Coin,
  endMs: number,
): ClosedCandle | undefined {
  const [newest] = market.candles(SIGNAL_VENUE, coin, 1)
  if (!newest) return undefined
  if (newest.openMs === endMs - MINUTE_MS) return newest.complete ? toClosedCandle(newest) : undefined
  const { close } = newest
  return newest.openMs === endMs - 2 * MINUTE_MS
    ? { openMs: endMs - MINUTE_MS, open: close, high: close, low: close, close, volume: 0 }
    : undefined
}

function toClosedCandle({ openMs, open, high, low, close, volume }: Candle): ClosedCandle {
  return { openMs, open, high, low, close, volume }
}
