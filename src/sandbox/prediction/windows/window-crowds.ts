import type { Coin } from '../../../core/coin.ts'
import { mapCoins } from '../../../core/coin.ts'
import { MINUTE_MS } from '../../../core/time/time.ts'
import { WINDOW_S } from '../../../core/time/window.ts'
import { toPrice } from '../../market/instrument.ts'
import { ORACLE_DELAY_MS } from '../../market/oracle.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'
import { type Crowd, createCrowd } from '../crowd/crowd.ts'
import { createQuotes, type Quotes } from '../crowd/quotes.ts'
import { COARSE_TICK_E4, refineTick } from '../crowd/tick-size.ts'
import type { Exchange } from '../exchange.ts'
import type { Listing } from '../listing.ts'
import { simulatedWallet } from '../market-ids.ts'
import { createFairUp, type Fair, type Moment } from './fair-up.ts'
import { createVolatility } from './volatility.ts'

/** Who trades in which window: nobody far ahead, the whole crowd from one window before it opens. */
export type WindowCrowds = {
  /** A few orders around even, for a window that is far ahead. */
  furnish(listing: Listing, atMs: number): void
  advanceTo(listings: Iterable<Listing>, atMs: number): void
}

type Active = { crowd: Crowd; fair: (moment: Moment) => Fair }

export function createWindowCrowds(exchange: Exchange, seed: string, market: SimulatedMarket): WindowCrowds {
  const volatility = createVolatility(market.oracle)
  const early = new Map<Listing, Quotes>()
  const active = new Map<Listing, Active>()
  const start = (listing: Listing, coin: Coin, startS: number) => {
    early.get(listing)?.withdraw()
    early.delete(listing)
    const made = {
      crowd: createCrowd(exchange, seed, listing),
      fair: createFairUp(market.oracle, coin, startS),
    }
    active.set(listing, made)
    return made
  }
  return {
    furnish(listing, atMs) {
      const quotes = createQuotes(exchange, listing, simulatedWallet(seed, 'early'))
      quotes.move({ ...EVEN, sizeE6: (level) => (20 + 30 * level) * 1e6 }, atMs)
      early.set(listing, quotes)
      exchange.flush(listing, atMs)
    },
    advanceTo(listings, atMs) {
      volatility.advanceTo(Math.floor((atMs - ORACLE_DELAY_MS) / 1000))
      const moments = mapCoins((coin) => momentOf(market, coin, atMs, volatility.of(coin)))
      for (const listing of listings) {
        const { series, acceptingOrders } = listing.market
        if (!series || series.windowStartS * 1000 - atMs > AHEAD_MS) continue
        if (!acceptingOrders) {
          active.delete(listing)
          early.delete(listing)
          continue
        }
        const { crowd, fair } = active.get(listing) ?? start(listing, series.coin, series.windowStartS)
        crowd.advanceTo(atMs, fair(moments[series.coin]))
        refineTick(exchange, listing, atMs)
        exchange.flush(listing, atMs)
      }
    },
  }
}

/** The crowd comes with the window before, a little earlier. */
const AHEAD_MS = WINDOW_S * 1000 + MINUTE_MS / 6
const EVEN = { bidE4: 4_800, askE4: 5_200, levels: 2, stepE4: COARSE_TICK_E4 }

/** The price is where Coinbase quotes: the oracle follows it a second later. */
function momentOf(market: SimulatedMarket, coin: Coin, atMs: number, volPerSecond: number): Moment {
  const { bids, asks } = market.book('coinbase', coin)
  const ticks = ((bids[0]?.[0] ?? 0) + (asks[0]?.[0] ?? 0)) / 2
  return { atMs, priceUsd: toPrice(market.instrument('coinbase', coin), ticks), volPerSecond }
}
