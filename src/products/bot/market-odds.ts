import type { WindowMarket } from '../../feeds/prediction/five-minute-markets.ts'
import { shownPrice } from '../prediction-markets/shown-number.ts'

/** Mid price of a share that pays a dollar; null while bid or ask is missing. */
export function midOf({ bids, asks }: WindowMarket['up']): number | null {
  const [bid] = bids[0] ?? []
  const [ask] = asks[0] ?? []
  return bid === undefined || ask === undefined ? null : shownPrice((bid + ask) / 2)
}
