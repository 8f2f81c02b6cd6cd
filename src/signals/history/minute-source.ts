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
const MINUTE_GRACE_MS = 1_000

/**
 * Minutes of a coin of which nothing is missing and that opened at `afterMs` or later, oldest first. One that may still
 * become whole holds up those after it; one that is lost is left out: a gap is better than a wrong candle.
 */
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
    if (candle.isFinal) candles.push(toClosedCandle(candle))
    else if (!candle.isLost) break
  }
  return candles
}

/**
 * The minute that ends at `endMs`, as if it closed now. Undefined while trades of it may be missing, and without any:
 * that it was quiet is known only with the next trade.
 */
export function runningMinute(
  market: Pick<Market, 'candles'>,
  coin: Coin,
  endMs: number,
): ClosedCandle | undefined {
  const [newest] = market.candles(SIGNAL_VENUE, coin, 1)
  return newest?.openMs === endMs - MINUTE_MS && newest.complete ? toClosedCandle(newest) : undefined
}

function toClosedCandle({ openMs, open, high, low, close, volume }: Candle): ClosedCandle {
  return { openMs, open, high, low, close, volume }
}
