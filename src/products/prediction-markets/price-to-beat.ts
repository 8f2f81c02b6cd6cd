import { WINDOW_S } from '../../core/time/window.ts'
import type { OracleTick } from '../../feeds/events.ts'
import { roundPrice } from '../market/price.ts'
import type { OpenWindow } from './open-window.ts'
import type { PredictionServices } from './services.ts'

/** Who says a price that markets resolve on: the oracle itself, or our own average of Coinbase trades in its place. */
export const ORACLE_SOURCES = ['oracle', 'coinbase_derived'] as const
export const toOracleSource = ({ source }: Pick<OracleTick, 'source'>): (typeof ORACLE_SOURCES)[number] =>
  source === 'coinbase_derived' ? 'coinbase_derived' : 'oracle'

/** The price at the opening, and who says so. The oracle that the venue resolves on knows it before the venue shows it. */
export type PriceToBeat = {
  price_to_beat: number | null
  price_to_beat_source: 'venue' | (typeof ORACLE_SOURCES)[number] | null
}

const UNKNOWN: PriceToBeat = { price_to_beat: null, price_to_beat_source: null }
type Services = Pick<PredictionServices, 'market' | 'fiveMinute'>

export function priceToBeat(services: Services, open: OpenWindow): PriceToBeat {
  const { priceToBeat: said } = open.book.market
  const price = isPrice(said) ? said : findLastFinal(services, open)
  if (isPrice(price)) return { price_to_beat: roundPrice(price), price_to_beat_source: 'venue' }
  const tick = findOpeningTick(services, open)
  return tick
    ? { price_to_beat: roundPrice(tick.price), price_to_beat_source: toOracleSource(tick) }
    : UNKNOWN
}

/** A window opens at the price at which the one before closed, if both resolve on the same price. */
function findLastFinal({ fiveMinute }: Services, { coin, book: { market } }: OpenWindow): number | undefined {
  const before = fiveMinute.market(coin, market.window.startS - WINDOW_S)
  const { kind } = market.resolution
  return kind !== 'other' && before?.resolution.kind === kind ? before.finalPrice : undefined
}

function findOpeningTick({ market }: Services, { coin, book }: OpenWindow): OracleTick | undefined {
  const { window, resolution } = book.market
  if (resolution.kind === 'other') return undefined
  const oracle = market.oracle(coin)
  const newestMs = oracle.last[resolution.kind]?.atMs
  if (newestMs === undefined) return undefined
  const seconds = Math.floor(newestMs / 1000) - window.startS + 1
  const [first] = seconds > 0 ? oracle.history(resolution.kind, seconds) : []
  return first && Math.floor(first.atMs / 1000) === window.startS ? first : undefined
}

const isPrice = (price: number | undefined): price is number =>
  price !== undefined && price > 0 && Number.isFinite(price)
