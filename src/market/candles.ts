import { MINUTE_MS } from '../core/time/time.ts'
import type { Kline, Trade } from '../feeds/events.ts'
import { createMinuteSlots, type Slot } from './minute-slots.ts'

/**
 * `complete`: no trade of the minute is missing so far. `isFinal`: none can be missing any more. Either it is the
 * venue's own candle, or the ids of its trades have no hole from the trade before the minute to the one after it.
 * `isLost`: it will not become final, since neither trades nor the venue's candles are to be had.
 * `takerBuyVolume` and `trades` are undefined where the minute was read from a venue that does not report them.
 */
export type Candle = Omit<Kline, 'venue' | 'coin'> & { complete: boolean; isFinal: boolean; isLost: boolean }

/** All that candles are made of; `NaN` where nothing was heard yet. */
export type CandlesState = {
  slots: readonly Slot[]
  newest: number | undefined
  lost: readonly number[]
  run: Readonly<TradeRun>
}

/** The unbroken run of ids: its newest trade, and the newest minute of which one was heard. */
export type TradeRun = { lastId: number; heardMinute: number; isInDoubt: boolean }

export type Candles = {
  apply(trade: Trade): void
  /** Trades after the newest may be missing, until the next one follows it. */
  doubtTrades(): void
  /** The venue's own figures for a closed minute replace ours. */
  seed(kline: Kline): void
  /** The minute that opened at `openMs` is known neither from trades nor from the venue. */
  markLost(openMs: number): void
  /** Up to `count` one-minute candles, oldest first, without holes: a minute without trades repeats the last close. */
  last(count: number): readonly Candle[]
  /** Shares its slots with the live candles: encode it at once. */
  snapshot(): CandlesState
  /** Owns the slots from then on. */
  restore(state: CandlesState): void
  /** Open time of the newest candle. */
  readonly newestMs: number | undefined
  /** Rises when a minute before the newest changed. */
  readonly revision: number
}

/** One-minute candles by minute of the epoch; every change is O(1). Holds `capacity` minutes. */
export function createCandles({ capacity }: { capacity: number }): Candles {
  const slots = createMinuteSlots(capacity)
  const { find, put, touch, isTooOld } = slots
  const lost = new Set<number>()
  let run: TradeRun = { lastId: Number.NaN, heardMinute: Number.NaN, isInDoubt: false }

  /** A trade of `minute` follows: nothing can be missing of the minutes before it, back to the trade it follows. */
  const finish = (minute: number) => {
    const heard = find(run.heardMinute)
    if (heard?.isUnbroken) heard.isFinal = true
    const close = heard?.close
    if (close === undefined) return
    for (let quiet = Math.max(run.heardMinute, minute - capacity) + 1; quiet < minute; quiet++)
      if (!find(quiet)?.isFinal) put({ ...flatAt(quiet, close), isUnbroken: true, isFinal: true })
  }
  const breakRun = (minute: number) => {
    for (const broken of [find(run.heardMinute), find(minute)]) if (broken) broken.isUnbroken = false
  }

  return {
    apply(trade) {
      const minute = Math.floor(trade.atMs / MINUTE_MS)
      const follows = trade.id === run.lastId + 1
      const isLater = !(minute <= run.heardMinute)
      run.lastId = trade.id
      run.isInDoubt = false
      if (!follows) breakRun(minute)
      else if (isLater) finish(minute)
      // Never back: the minutes between would be taken for quiet ones. What is final stays so.
      if (isLater) run.heardMinute = minute
      if (isTooOld(minute)) return
      const slot = find(minute)
      if (!slot) put({ ...openAt(minute, trade), isUnbroken: follows && isLater })
      // The venue's own candle already contains this trade.
      else if (slot.isSeeded) return
      else if (slot.trades === 0) put({ ...slot, ...figuresOf(trade) })
      else extend(slot, trade)
      touch(minute)
    },
    doubtTrades() {
      run.isInDoubt = true
    },
    seed(kline) {
      const minute = Math.floor(kline.openMs / MINUTE_MS)
      if (isTooOld(minute)) return
      const isUnbroken = find(minute)?.isUnbroken ?? false
      put({ ...kline, minute, isUnbroken, isFinal: true, isSeeded: true })
      touch(minute)
    },
    markLost(openMs) {
      lost.add(Math.floor(openMs / MINUTE_MS))
      for (const minute of lost) if (lost.size > capacity || isTooOld(minute)) lost.delete(minute)
    },
    last(count) {
      const { newest } = slots
      if (newest === undefined) return []
      return read(find, lost, newest, Math.min(count, capacity), !run.isInDoubt)
    },
    snapshot: () => ({ slots: slots.all(), newest: slots.newest, lost: [...lost], run: { ...run } }),
    restore(state) {
      slots.restore(state.slots, state.newest)
      lost.clear()
      for (const minute of state.lost) lost.add(minute)
      run = { ...state.run }
    },
    get newestMs() {
      return slots.newest === undefined ? undefined : slots.newest * MINUTE_MS
    },
    get revision() {
      return slots.revision
    },
  }
}

const UNPROVEN = { isUnbroken: false, isFinal: false, isSeeded: false }

function openAt(minute: number, trade: Trade): Slot {
  return { minute, ...figuresOf(trade), ...UNPROVEN }
}

/** Of a minute with this trade alone. */
function figuresOf({ price, size, side, fills }: Trade) {
  const prices = { open: price, high: price, low: price, close: price }
  return { ...prices, volume: size, takerBuyVolume: side === 'buy' ? size : 0, trades: fills }
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
  lost: ReadonlySet<number>,
  newest: number,
  count: number,
  isSure: boolean,
): Candle[] {
  const candles: Candle[] = []
  let lastClose: number | undefined
  for (let minute = newest - count + 1; minute <= newest; minute++) {
    const slot = find(minute) ?? (lastClose === undefined ? undefined : flatAt(minute, lastClose))
    if (!slot) continue
    lastClose = slot.close
    const isSoFar = minute === newest && slot.isUnbroken && isSure
    candles.push(toCandle(slot, slot.isFinal || isSoFar, lost.has(minute)))
  }
  return candles
}

function toCandle(slot: Slot, complete: boolean, isLost: boolean): Candle {
  const { minute, open, high, low, close, volume, takerBuyVolume, trades, isFinal } = slot
  const figures = { open, high, low, close, volume, takerBuyVolume, trades }
  return { openMs: minute * MINUTE_MS, ...figures, complete, isFinal, isLost: isLost && !isFinal }
}

/** A minute in which nothing was traded. */
function flatAt(minute: number, close: number): Slot {
  const prices = { open: close, high: close, low: close, close }
  return { minute, ...prices, volume: 0, takerBuyVolume: 0, trades: 0, ...UNPROVEN }
}
