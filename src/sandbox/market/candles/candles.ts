import { DAY_MS, MINUTE_MS } from '../../../core/time/time.ts'
import type { SimCandle, SimTrade } from '../sim-events.ts'

/** Two days per pair: enough for a chart, the 24-hour ticker and a backfill. */
export const CANDLES_KEPT = (2 * DAY_MS) / MINUTE_MS + 10

/** One-minute candles of one pair: made from its trades, and from `synthesize` for the time before. */
export type Candles = {
  apply(trade: SimTrade, price: number, size: number): void
  /** The candle that opens at `openMs`; flat at the last close when nobody traded in it. */
  at(openMs: number): SimCandle
}

/** `tradesFromMs` is the first minute whose trades are all applied. */
export function createCandles(input: {
  tradesFromMs: number
  synthesize: (openMs: number) => SimCandle
}): Candles {
  // Two stores, since synthetic candles are made in any order and must not push out those made from trades.
  const traded = createCandleStore()
  const synthetic = createCandleStore()
  let firstTradedMs = input.tradesFromMs
  const synthesize = (openMs: number) => synthetic.find(openMs) ?? synthetic.put(input.synthesize(openMs))
  return {
    apply(trade, price, size) {
      const openMs = Math.floor(trade.atMs / MINUTE_MS) * MINUTE_MS
      const candle = traded.find(openMs) ?? traded.put(flat(openMs, trade.priceTicks, trade.firstTradeId))
      extend(candle, trade, price * size)
      firstTradedMs = Math.max(firstTradedMs, openMs - CANDLES_KEPT * MINUTE_MS)
    },
    at(openMs) {
      // A minute without trades repeats the last close; many in a row may be empty.
      for (let ms = openMs; ms >= firstTradedMs; ms -= MINUTE_MS) {
        const found = traded.find(ms)
        if (found) return ms === openMs ? found : flat(openMs, found.closeTicks)
      }
      if (openMs < firstTradedMs) return synthesize(openMs)
      return flat(openMs, synthesize(firstTradedMs - MINUTE_MS).closeTicks)
    },
  }
}

/** Candles by opening time; drops the one that was put first. */
function createCandleStore() {
  const candles = new Map<number, SimCandle>()
  return {
    find: (openMs: number) => candles.get(openMs),
    put(candle: SimCandle): SimCandle {
      candles.set(candle.openMs, candle)
      const [first] = candles.keys()
      if (candles.size > CANDLES_KEPT && first !== undefined) candles.delete(first)
      return candle
    },
  }
}

/** Several candles of one pair as one; `parts` must not be empty. */
export function mergeCandles(parts: readonly SimCandle[]): SimCandle {
  const [first, ...rest] = parts
  if (!first) throw new RangeError('no candles to merge')
  const merged = { ...first }
  for (const next of rest) {
    merged.highTicks = Math.max(merged.highTicks, next.highTicks)
    merged.lowTicks = Math.min(merged.lowTicks, next.lowTicks)
    merged.closeTicks = next.closeTicks
    merged.lots += next.lots
    merged.takerLots += next.takerLots
    merged.quote += next.quote
    merged.takerQuote += next.takerQuote
    merged.trades += next.trades
    if (next.lastTradeId < 0) continue
    merged.lastTradeId = next.lastTradeId
    if (merged.firstTradeId < 0) merged.firstTradeId = next.firstTradeId
  }
  return merged
}

/** Nothing traded yet. Binance writes -1 for the trade ids of an empty candle. */
function flat(openMs: number, ticks: number, firstTradeId = -1): SimCandle {
  const prices = { openTicks: ticks, highTicks: ticks, lowTicks: ticks, closeTicks: ticks }
  const empty = { lots: 0, takerLots: 0, quote: 0, takerQuote: 0, trades: 0 }
  return { openMs, ...prices, ...empty, firstTradeId, lastTradeId: -1 }
}

function extend(candle: SimCandle, trade: SimTrade, quote: number): void {
  candle.highTicks = Math.max(candle.highTicks, trade.priceTicks)
  candle.lowTicks = Math.min(candle.lowTicks, trade.priceTicks)
  candle.closeTicks = trade.priceTicks
  candle.lots += trade.lots
  candle.quote += quote
  candle.trades += trade.fillLots.length
  candle.lastTradeId = trade.firstTradeId + trade.fillLots.length - 1
  if (trade.side !== 'buy') return
  candle.takerLots += trade.lots
  candle.takerQuote += quote
}
