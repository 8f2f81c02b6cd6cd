import type { Book, OracleTick, Trade } from '../../feeds/events.ts'
import { PRICE_FRESH_MS } from '../../market/price.ts'
import type { Prices } from './open-window.ts'

/** The newest price of a coin on each venue. Windows resolve in dollars, so the dollar venue's mid is preferred. */
export type CoinPrices = {
  trade(trade: Trade): void
  book(book: Book): void
  /** Its mid is no longer a price. */
  bookLost(venue: Book['venue']): void
  oracle(tick: OracleTick): void
  /** The oracle's newest average; NaN when it is too old. */
  average(atMs: number): number
  /** Both prices at `atMs`; NaN for one that is too old. The object is reused. */
  read(atMs: number): Readonly<Prices>
}

export function createCoinPrices(): CoinPrices {
  const price = { coinbase: Number.NaN, binance: Number.NaN }
  const seenMs = { coinbase: 0, binance: 0 }
  let averaged = { price: Number.NaN, atMs: 0 }
  let midMs = Number.NEGATIVE_INFINITY
  const prices: Prices = { usd: Number.NaN, usdt: Number.NaN }
  const fresh = (venue: 'coinbase' | 'binance', atMs: number) =>
    atMs - seenMs[venue] <= PRICE_FRESH_MS ? price[venue] : Number.NaN
  return {
    trade({ venue, price: traded, atMs }) {
      // Repaired trades come late, after newer ones.
      if (atMs < seenMs[venue]) return
      // A mid is closer to the fair price than the last trade, which was at the bid or the ask.
      if (venue === 'coinbase' && atMs - midMs <= PRICE_FRESH_MS) return
      price[venue] = traded
      seenMs[venue] = atMs
    },
    book({ venue, bids, asks, atMs }) {
      const [bid, ask] = [bids[0], asks[0]]
      // Candles close at a trade price, so only trades of the USDT venue compare with them.
      if (venue !== 'coinbase' || !bid || !ask) return
      price.coinbase = (bid[0] + ask[0]) / 2
      seenMs.coinbase = atMs
      midMs = atMs
    },
    bookLost(venue) {
      if (venue !== 'coinbase' || seenMs.coinbase !== midMs) return
      price.coinbase = Number.NaN
      midMs = Number.NEGATIVE_INFINITY
    },
    oracle(tick) {
      if (tick.kind === 'twap_60s' && tick.atMs >= averaged.atMs) averaged = tick
    },
    average: (atMs) => (atMs - averaged.atMs <= PRICE_FRESH_MS ? averaged.price : Number.NaN),
    read(atMs) {
      prices.usd = fresh('coinbase', atMs)
      prices.usdt = fresh('binance', atMs)
      return prices
    },
  }
}
