import { COINS, type Coin } from '../../core/coin.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { Trade, Venue } from '../../feeds/events.ts'

/** Fills of one taker order, at their mean price. `id` is that of the first. */
export type HeardOrder = Pick<Trade, 'venue' | 'coin' | 'side' | 'atMs'> & {
  id: string
  price: number
  usd: number
}

/** The trades of the venues that we follow, joined to orders. */
export type HeardOrders = {
  /** The order that the trade belongs to, with all its fills so far. */
  hear(trade: Trade): HeardOrder
  /** Whether the trades of that time were heard. */
  covers(venue: Venue, coin: Coin, atMs: number): boolean
  /** For how long of the time from `fromMs` to `nowMs` the trades were heard, up to now or to the last one. */
  heardMs(venue: Venue, coin: Coin, fromMs: number, nowMs: number): number
  /** The newest trade of any size at a venue. */
  lastMs(venue: Venue): number | undefined
  /** The first trade at any venue. */
  firstMs(): number | undefined
}

/** Others may date a trade differently by this much. */
const COVER_MARGIN_MS = MINUTE_MS
/** A pair that is silent for longer was not heard. */
const MAX_SILENCE_MS = 10 * MINUTE_MS

type Pair = { sinceMs: number; lastMs: number; order: HeardOrder; size: number }

/** Venues tell one fill at a time; those of the same side in the same millisecond are one order. */
export function createHeardOrders(): HeardOrders {
  const pairs = new Map<string, Pair>()
  let firstMs: number | undefined
  return {
    hear({ venue, coin, id, side, atMs, price, size }) {
      firstMs = Math.min(firstMs ?? atMs, atMs)
      const key = `${venue}/${coin}`
      const last = pairs.get(key)
      const usd = price * size
      if (last && last.order.side === side && last.order.atMs === atMs) {
        last.size += size
        last.order.usd += usd
        last.order.price = last.order.usd / last.size
        return last.order
      }
      const isNew = !last || atMs - last.lastMs > MAX_SILENCE_MS
      const pair: Pair = {
        sinceMs: isNew ? atMs : Math.min(last.sinceMs, atMs),
        lastMs: Math.max(last?.lastMs ?? atMs, atMs),
        order: { id: `${venue}:${coin}:${id}`, venue, coin, side, atMs, price, usd },
        size,
      }
      pairs.set(key, pair)
      return pair.order
    },
    covers(venue, coin, atMs) {
      const pair = pairs.get(`${venue}/${coin}`)
      return (
        pair !== undefined && atMs >= pair.sinceMs - COVER_MARGIN_MS && atMs <= pair.lastMs + COVER_MARGIN_MS
      )
    },
    heardMs(venue, coin, fromMs, nowMs) {
      const pair = pairs.get(`${venue}/${coin}`)
      if (!pair) return 0
      const untilMs = nowMs - pair.lastMs > MAX_SILENCE_MS ? pair.lastMs : nowMs
      return Math.max(0, untilMs - Math.max(fromMs, pair.sinceMs))
    },
    lastMs(venue) {
      const times = COINS.flatMap((coin) => pairs.get(`${venue}/${coin}`)?.lastMs ?? [])
      return times.length === 0 ? undefined : Math.max(...times)
    },
    firstMs: () => firstMs,
  }
}
