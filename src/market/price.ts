import type { Book, Venue } from '../feeds/events.ts'
import type { Basis } from './basis.ts'
import type { BookView, Pair } from './pair.ts'

/** An older mid or trade is no longer a price. Both venues change their books many times a second. */
export const PRICE_FRESH_MS = 10_000
/** The basis moves slowly: after half an hour it is still right to about 10 bps. */
export const BASIS_USABLE_MS = 30 * 60_000

/** US dollars. `asOfMs` is the time of the quote or trade it is read from. */
export type Price = {
  price: number
  asOfMs: number
  source: 'coinbase_mid' | 'coinbase_trade' | 'binance_mid_less_basis' | 'binance_trade_less_basis'
  venues: readonly Venue[]
  version: number
}

export type Quote = Omit<Price, 'version'>

/** The dollar venue while it is fresh, else the USDT venue corrected by the basis, else nothing. */
export function findQuote(usd: Pair, usdt: Pair, basis: Basis | undefined, nowMs: number): Quote | undefined {
  const direct = findVenuePrice(usd, nowMs)
  if (direct) {
    const { price, asOfMs } = direct
    return { price, asOfMs, source: direct.isMid ? 'coinbase_mid' : 'coinbase_trade', venues: USD_ONLY }
  }
  if (!basis || nowMs - basis.asOfMs > BASIS_USABLE_MS) return undefined
  const other = findVenuePrice(usdt, nowMs)
  if (!other) return undefined
  const source = other.isMid ? 'binance_mid_less_basis' : 'binance_trade_less_basis'
  return { price: other.price * Math.exp(-basis.log), asOfMs: other.asOfMs, source, venues: CORRECTED }
}

/** Feeds pass on valid books only, so both sides exist. */
function midOf(book: Book): number | undefined {
  const bid = book.bids[0]
  const ask = book.asks[0]
  return bid && ask ? (bid[0] + ask[0]) / 2 : undefined
}

export function findGoodMid(view: BookView | undefined): number | undefined {
  return view && view.fault === undefined ? midOf(view.book) : undefined
}

const USD_ONLY: readonly Venue[] = ['coinbase']
const CORRECTED: readonly Venue[] = ['binance', 'coinbase']

type VenuePrice = { price: number; asOfMs: number; isMid: boolean }

function findVenuePrice(pair: Pair, nowMs: number): VenuePrice | undefined {
  const view = pair.readBook()
  const mid = findGoodMid(view)
  if (view && mid !== undefined && nowMs - view.asOfMs <= PRICE_FRESH_MS) {
    return { price: mid, asOfMs: view.asOfMs, isMid: true }
  }
  const trade = pair.lastTrade
  if (!trade || nowMs - trade.atMs > PRICE_FRESH_MS) return undefined
  return { price: trade.price, asOfMs: trade.atMs, isMid: false }
}
