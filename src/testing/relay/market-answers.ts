import { COINS } from '../../core/coin.ts'
import { PRICE_KINDS, VENUES } from '../../feeds/events.ts'
import type { Market } from '../../market/market.ts'

/** All that a market can be asked. Versions are each market's own. */
export function marketAnswers(market: Market) {
  return {
    freshness: market.freshness(),
    coins: COINS.map((coin) => ({
      price: unversioned(market.price(coin)),
      basis: market.basis(coin),
      last: market.oracle(coin).last,
      history: PRICE_KINDS.map((kind) => market.oracle(coin).history(kind, 4_096)),
    })),
    pairs: VENUES.flatMap((venue) =>
      COINS.map((coin) => ({
        book: market.book(venue, coin),
        trades: market.trades(venue, coin, 5_000),
        candles: market.candles(venue, coin, 1_620),
        five: market.fiveMinuteCandles(venue, coin, 300),
        ticker: market.ticker(venue, coin),
      })),
    ),
  }
}

export const unversioned = <T extends { version: number }>(value: T | undefined) =>
  value && { ...value, version: undefined }
