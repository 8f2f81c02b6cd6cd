import type { Coin } from '../../core/coin.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { Market } from '../../market/market.ts'
import { MINUTES_KEPT } from '../../market/pair.ts'
import { closedMinutes } from '../history/minute-source.ts'
import type { KeptMinute } from './files/sample-line.ts'
import type { Samples } from './samples.ts'

/** By then the engine has taken the minute, and its sample is what the model was given. */
const DUE_AFTER_MS = 20_000
/** A candle that is not known by then is given up, and what was seen at its end is kept without it. */
const CANDLE_WAIT_MS = 10 * MINUTE_MS

type Input = {
  market: Pick<Market, 'candles'>
  samples: Pick<Samples, 'at'>
  coin: Coin
  nowMs: number
  /** Open time of the newest minute that is written. */
  afterMs: number
}

/**
 * The minutes to write, oldest first. Those from before the start have a candle and no sample: without them every
 * restart would be a gap of hours in what a model can learn from.
 */
export function dueMinutes({ market, samples, coin, nowMs, afterMs }: Input): KeptMinute[] {
  const firstMs = Math.max(afterMs + MINUTE_MS, floorMinute(nowMs) - MINUTES_KEPT * MINUTE_MS)
  const dueMs = floorMinute(nowMs - DUE_AFTER_MS) - MINUTE_MS
  if (firstMs > dueMs) return []
  const candles = new Map(closedMinutes(market, coin, firstMs, nowMs).map((each) => [each.openMs, each]))
  const minutes: KeptMinute[] = []
  for (let openMs = firstMs; openMs <= dueMs; openMs += MINUTE_MS) {
    const candle = candles.get(openMs)
    const isAwaited = nowMs - openMs - MINUTE_MS < CANDLE_WAIT_MS
    if (!candle && isAwaited) break
    const sample = samples.at(coin, openMs + MINUTE_MS)
    if (candle || sample) minutes.push({ coin, openMs, candle, sample })
  }
  return minutes
}

const floorMinute = (ms: number) => ms - (ms % MINUTE_MS)
