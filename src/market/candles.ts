import { MINUTE_MS } from '../core/time/time.ts'
import type { Kline, Trade } from '../feeds/events.ts'

/**
 * `complete` is false while trades of that minute are known to be missing. `takerBuyVolume` and `trades` are
 * undefined where the minute was read from a venue that does not report them.
 */
export type Candle = Omit<Kline, 'venue' | 'coin'> & { complete: boolean }

export type Candles = {
  apply(trade: Trade): void
  /** The venue's own figures for a closed minute replace ours. */
  seed(kline: Kline): void
  markIncomplete(fromMs: number, toMs: number): void
  /** Up to `count` one-minute candles, oldest first, without holes: a quiet minute repeats the last close. */
  last(count: number): readonly Candle[]
  /** Open time of the newest candle. */
  readonly newestMs: number | undefined
  /** Rises when a minute before the newest changed. */
  readonly revision: number
}

/** One-minute candles by minute of the epoch; every change is O(1). Holds `capacity` minutes. */
export function createCandles({ capacity }: { capacity: number }): Candles {
  const slots: (Slot | undefined)[] = new Array(capacity)
  const incomplete = new Set<number>()
  let newest: number | undefined
  let revision = 0

  const find = (minute: number) => {
    const slot = slots[minute % capacity]
    return slot?.minute === minute ? slot : undefined
  }
  const touch = (minute: number) => {
    if (minute === newest) return
    revision++
    if (newest === undefined || minute > newest) newest = minute
  }
  const isTooOld = (minute: number) => newest !== undefined && minute <= newest - capacity

  return {
    apply(trade) {
      const minute = Math.floor(trade.atMs / MINUTE_MS)
      if (isTooOld(minute)) return
      const slot = find(minute)
      // The venue's own candle already contains this trade.
      if (slot?.isSeeded) return
      if (slot) extend(slot, trade)
      else slots[minute % capacity] = openAt(minute, trade)
      touch(minute)
    },
    seed(kline) {
      const minute = Math.floor(kline.openMs / MINUTE_MS)
      if (isTooOld(minute)) return
      slots[minute % capacity] = { ...kline, minute, isSeeded: true }
      incomplete.delete(minute)
      touch(minute)
    },
    markIncomplete(fromMs, toMs) {
      const last = Math.floor(toMs / MINUTE_MS)
      const first = Math.max(Math.floor(fromMs / MINUTE_MS), last - capacity + 1)
      // The venue's own candle of a minute lacks no trade.
      for (let minute = first; minute <= last; minute++) if (!find(minute)?.isSeeded) incomplete.add(minute)
      for (const minute of incomplete)
        if (minute <= last - capacity || isTooOld(minute)) incomplete.delete(minute)
      revision++
    },
    last: (count) => (newest === undefined ? [] : read(find, incomplete, newest, Math.min(count, capacity))),
    get newestMs() {
      return newest === undefined ? undefined : newest * MINUTE_MS
    },
    get revision() {
      return revision
    },
  }
}

type Slot = Omit<Candle, 'openMs' | 'complete'> & { minute: number; isSeeded: boolean }

function openAt(minute: number, { price, size, side, fills }: Trade): Slot {
  const takerBuyVolume = side === 'buy' ? size : 0
  return {
    minute,
    open: price,
    high: price,
    low: price,
    close: price,
    volume: size,
    takerBuyVolume,
    trades: fills,
    isSeeded: false,
  }
}

function extend(slot: Slot, { price, size, side, fills }: Trade): void {
  if (price > slot.high) slot.high = price
  if (price < slot.low) slot.low = price
  slot.close = price
  slot.volume += size
  if (side === 'buy' && slot.takerBuyVolume !== undefined) slot.takerBuyVolume += size
  if (slot.trades !== undefined) slot.trades += fills
}

function read(
  find: (minute: number) => Slot | undefined,
  incomplete: ReadonlySet<number>,
  newest: number,
  count: number,
): Candle[] {
  const candles: Candle[] = []
  let lastClose: number | undefined
  for (let minute = newest - count + 1; minute <= newest; minute++) {
    const slot = find(minute) ?? (lastClose === undefined ? undefined : quietAt(minute, lastClose))
    if (!slot) continue
    lastClose = slot.close
    candles.push(toCandle(slot, !incomplete.has(minute)))
  }
  return candles
}

function toCandle(
  { minute, open, high, low, close, volume, takerBuyVolume, trades }: Slot,
  complete: boolean,
): Candle {
  return { openMs: minute * MINUTE_MS, open, high, low, close, volume, takerBuyVolume, trades, complete }
}

function quietAt(minute: number, close: number): Slot {
  return {
    minute,
    open: close,
    high: close,
    low: close,
    close,
    volume: 0,
    takerBuyVolume: 0,
    trades: 0,
    isSeeded: false,
  }
}
