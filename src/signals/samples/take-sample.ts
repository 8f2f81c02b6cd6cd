import type { Coin } from '../../core/coin.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { windowAt } from '../../core/time/window.ts'
import { VENUES, type Venue } from '../../feeds/events.ts'
import type { FiveMinuteMarkets } from '../../feeds/prediction/five-minute-markets.ts'
import type { Market } from '../../market/market.ts'
import { shapeOf } from './book-shape.ts'
import { DEPTHS, type SampleField } from './minute-sample.ts'

type Values = Partial<Record<SampleField, number | undefined>>
export type SeenMarket = Pick<Market, 'book' | 'basis' | 'oracle' | 'candles'>
export type SeenWindows = Pick<FiveMinuteMarkets, 'open'>

/** What is only there at this moment: books, basis, oracle and the prediction market, for the minute that ends at `endMs`. */
export function takeMoment(
  market: SeenMarket,
  windows: SeenWindows | undefined,
  coin: Coin,
  endMs: number,
  nowMs: number,
): Values {
  const basis = market.basis(coin)
  const { twap_60s: twap, spot } = market.oracle(coin).last
  const age = (asOfMs: number | undefined) => (asOfMs === undefined ? undefined : endMs - asOfMs)
  return {
    late_ms: nowMs - endMs,
    ...Object.assign({}, ...VENUES.map((venue) => bookValues(market, venue, coin, age))),
    basis_bps: basis?.bps,
    basis_age_ms: age(basis?.asOfMs),
    oracle_twap: twap?.price,
    oracle_twap_age_ms: age(twap?.atMs),
    oracle_spot: spot?.price,
    oracle_spot_age_ms: age(spot?.atMs),
    ...windowValues(windows, coin, endMs, age),
  }
}

/** What was bought and sold at market in the minute; known once its trades are. */
export function takeFlow(market: SeenMarket, coin: Coin, endMs: number, nowMs: number): Values {
  const behind = Math.max(2, Math.ceil((nowMs - endMs) / MINUTE_MS) + 2)
  const pairs = VENUES.flatMap((venue): [SampleField, number][] => {
    const candle = market.candles(venue, coin, behind).find(({ openMs }) => openMs === endMs - MINUTE_MS)
    if (!candle?.complete || candle.takerBuyVolume === undefined) return []
    const sell = Math.max(0, candle.volume - candle.takerBuyVolume)
    return [
      [`${venue}_buy`, candle.takerBuyVolume],
      [`${venue}_sell`, sell],
    ]
  })
  return Object.fromEntries(pairs)
}

type Age = (asOfMs: number | undefined) => number | undefined

function bookValues(market: SeenMarket, venue: Venue, coin: Coin, age: Age): Values {
  const shape = shapeOf(market.book(venue, coin))
  if (!shape) return {}
  return {
    [`${venue}_mid`]: shape.mid,
    [`${venue}_reach_bps`]: shape.reachBps,
    ...Object.fromEntries(DEPTHS.map((levels, at) => [`${venue}_imbalance_${levels}`, shape.imbalances[at]])),
    [`${venue}_book_age_ms`]: age(shape.asOfMs),
  }
}

/** Of the window that is open at `endMs`, not of the one before it. */
function windowValues(windows: SeenWindows | undefined, coin: Coin, endMs: number, age: Age): Values {
  const window = windowAt(endMs)
  const open = windows?.open(coin)
  if (!open || open.market.window.startS !== window.startS) return {}
  return {
    up_bid: open.up.bids[0]?.[0],
    up_ask: open.up.asks[0]?.[0],
    up_age_ms: age(open.asOfMs),
    window_left_s: window.endS - endMs / 1000,
  }
}
