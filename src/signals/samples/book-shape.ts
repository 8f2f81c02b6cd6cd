import type { Level } from '../../core/level.ts'
import type { BookView } from '../../market/pair.ts'
import { isUsableBook } from '../indicators/usable-event.ts'
import { DEPTHS } from './minute-sample.ts'

/** `reachBps`: how far from the mid the levels we know go, on the side where they end sooner. */
export type BookShape = { mid: number; reachBps: number; imbalances: readonly number[]; asOfMs: number }

const BPS = 10_000

/**
 * The imbalance is bid size less ask size over their sum, over the best levels of each side; NaN where a side has fewer.
 * By levels and not by distance from the mid: the levels we keep of a book with small ticks end within a basis point.
 */
export function shapeOf(view: BookView | undefined): BookShape | undefined {
  if (!view || view.fault !== undefined || !isUsableBook(view.book)) return undefined
  const { bids, asks } = view.book
  const [bid, ask, lastBid, lastAsk] = [bids[0]?.[0], asks[0]?.[0], bids.at(-1)?.[0], asks.at(-1)?.[0]]
  if (bid === undefined || ask === undefined || lastBid === undefined || lastAsk === undefined)
    return undefined
  const mid = (bid + ask) / 2
  return {
    mid,
    reachBps: (BPS * Math.min(mid - lastBid, lastAsk - mid)) / mid,
    imbalances: DEPTHS.map((levels) => imbalanceOf(bids, asks, levels)),
    asOfMs: view.asOfMs,
  }
}

function imbalanceOf(bids: readonly Level[], asks: readonly Level[], levels: number): number {
  if (bids.length < levels || asks.length < levels) return Number.NaN
  const [bid, ask] = [sizeOf(bids, levels), sizeOf(asks, levels)]
  return (bid - ask) / (bid + ask)
}

function sizeOf(side: readonly Level[], levels: number): number {
  let sum = 0
  for (let at = 0; at < levels; at++) sum += side[at]?.[1] ?? 0
  return sum
}
