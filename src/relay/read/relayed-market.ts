import type { Clock } from '../../core/time/clock.ts'
import { DEAF } from '../../feeds/deaf-sink.ts'
import { createMarket, type Market } from '../../market/market.ts'

/** The market as the engine has it; like one without data while the engine is not heard. */
export function createRelayedMarket(clock: Clock, market: Market, isHeard: () => boolean): Market {
  const empty = createMarket({ clock })
  const now = () => (isHeard() ? market : empty)
  return {
    // Nobody feeds a market that is read from an engine.
    sink: DEAF,
    price: (coin) => now().price(coin),
    oracle: (coin) => now().oracle(coin),
    basis: (coin) => now().basis(coin),
    book: (venue, coin) => now().book(venue, coin),
    trades: (venue, coin, count) => now().trades(venue, coin, count),
    candles: (venue, coin, count) => now().candles(venue, coin, count),
    fiveMinuteCandles: (venue, coin, count) => now().fiveMinuteCandles(venue, coin, count),
    ticker: (venue, coin) => now().ticker(venue, coin),
    freshness: () => now().freshness(),
  }
}
