import type { Coin } from '../../core/coin.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { FeedSink } from '../../feeds/events.ts'
import type { ClosedCandle } from '../../signals/history/closed-candle.ts'

/** Candles from before the recording, sent to the market once they have closed. */
export type WarmUp = {
  /** Sends those that ended by then. */
  sendUntil(nowMs: number): void
  /** How many of them ended before the recording began. */
  minutes: number
}

type Ports = {
  coin: Coin
  candles: readonly ClosedCandle[]
  /** When the recording began. */
  startMs: number
  sink: Pick<FeedSink, 'kline' | 'minuteLost'>
}

/**
 * The last candle is that of the minute in which the recording begins, since its trades are only a part of that minute.
 * Missing minutes are reported as lost: nobody else will bring them.
 */
export function createWarmUp({ coin, candles, startMs, sink }: Ports): WarmUp {
  const partMs = Math.floor(startMs / MINUTE_MS) * MINUTE_MS
  const earlier = candles.filter(({ openMs }) => openMs <= startMs)
  const minutes = earlier.filter(({ openMs }) => openMs < partMs).length
  if (candles.length > 0 && !earlier.some(({ openMs }) => openMs === partMs - MINUTE_MS))
    throw new Error(
      `the minute before the ticks, ${new Date(partMs - MINUTE_MS).toISOString()}, is not among the candles`,
    )
  loseMinutes(sink, coin, partMs, startMs)
  let next = 0
  const sendUntil = (nowMs: number) => {
    for (let candle = earlier[next]; candle && candle.openMs + MINUTE_MS <= nowMs; candle = earlier[next]) {
      const endMs = (earlier[next - 1]?.openMs ?? candle.openMs - MINUTE_MS) + MINUTE_MS
      if (endMs < candle.openMs) loseMinutes(sink, coin, endMs, candle.openMs - 1)
      sink.kline({ venue: 'binance', coin, ...candle, takerBuyVolume: undefined, trades: undefined })
      next++
    }
  }
  return { sendUntil, minutes }
}

/** Those from `fromMs` to `toMs`, both included, whose trades are not all known. A candle that comes later counts. */
export function loseMinutes(
  sink: Pick<FeedSink, 'minuteLost'>,
  coin: Coin,
  fromMs: number,
  toMs: number,
): void {
  for (let openMs = fromMs - (fromMs % MINUTE_MS); openMs <= toMs; openMs += MINUTE_MS)
    sink.minuteLost({ venue: 'binance', coin, openMs })
}
