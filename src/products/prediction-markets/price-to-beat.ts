import type { MarketServices } from '../market/services.ts'
import type { OpenWindow } from './open-window.ts'

/** The price at the opening, and who says so: the venue, or the oracle that it resolves on, which knows it earlier. */
export type PriceToBeat = {
  price_to_beat: number | null
  price_to_beat_source: 'venue' | 'oracle' | null
}

const UNKNOWN: PriceToBeat = { price_to_beat: null, price_to_beat_source: null }

export function priceToBeat({ market }: Pick<MarketServices, 'market'>, open: OpenWindow): PriceToBeat {
  const { window, resolution, priceToBeat: said } = open.book.market
  if (isPrice(said)) return { price_to_beat: said, price_to_beat_source: 'venue' }
  if (resolution.kind === 'other') return UNKNOWN
  const oracle = market.oracle(open.coin)
  const newestMs = oracle.last[resolution.kind]?.atMs
  if (newestMs === undefined) return UNKNOWN
  const seconds = Math.floor(newestMs / 1000) - window.startS + 1
  const [first] = seconds > 0 ? oracle.history(resolution.kind, seconds) : []
  return first && Math.floor(first.atMs / 1000) === window.startS
    ? { price_to_beat: first.price, price_to_beat_source: 'oracle' }
    : UNKNOWN
}

const isPrice = (price: number | undefined): price is number =>
  price !== undefined && price > 0 && Number.isFinite(price)
