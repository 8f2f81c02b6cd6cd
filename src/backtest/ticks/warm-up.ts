import type { Coin } from '../../core/coin.ts'
import { MINUTE_MS } from '../../core/time.ts'
import type { FeedSink } from '../../feeds/events.ts'
import type { Bar } from '../../signals/history/bar.ts'

/** Minutes of before the recording, told to the market once they have closed. */
export type WarmUp = {
  /** Tells those that ended by then. */
  tellUntil(nowMs: number): void
  /** How many of them ended before the recording began. */
  minutes: number
}

type Ports = {
  coin: Coin
  bars: readonly Bar[]
  /** When the recording began. */
  startMs: number
  sink: Pick<FeedSink, 'kline' | 'tradeGap'>
}

/**
 * The last one told is that in which the recording begins: its own trades are only a part of that minute. Missing
 * minutes are told as such, since a market takes a minute without trades for a quiet one.
 */
export function createWarmUp({ coin, bars, startMs, sink }: Ports): WarmUp {
  const partMs = Math.floor(startMs / MINUTE_MS) * MINUTE_MS
  const told = bars.filter(({ openMs }) => openMs < startMs)
  const minutes = told.filter(({ openMs }) => openMs < partMs).length
  if (bars.length > 0 && !told.some(({ openMs }) => openMs === partMs - MINUTE_MS))
    throw new Error(
      `the minute before the ticks, ${new Date(partMs - MINUTE_MS).toISOString()}, is not among the bars`,
    )
  if (startMs > partMs) sink.tradeGap({ venue: 'binance', coin, fromMs: partMs, toMs: startMs - 1 })
  let next = 0
  const tellUntil = (nowMs: number) => {
    for (let bar = told[next]; bar && bar.openMs + MINUTE_MS <= nowMs; bar = told[next]) {
      const endMs = (told[next - 1]?.openMs ?? bar.openMs - MINUTE_MS) + MINUTE_MS
      if (endMs < bar.openMs) sink.tradeGap({ venue: 'binance', coin, fromMs: endMs, toMs: bar.openMs - 1 })
      sink.kline({ venue: 'binance', coin, ...bar, takerBuyVolume: undefined, trades: undefined })
      next++
    }
  }
  return { tellUntil, minutes }
}
