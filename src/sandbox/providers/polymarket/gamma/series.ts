import { COINS, type Coin } from '../../../../core/coin.ts'
import type { PredictionVenue, VenueMarket } from '../../../prediction/venue.ts'
import { toAmount } from '../number-text.ts'
import { microText } from '../wire-time.ts'
import { numericId } from './describe.ts'
import { liquidityOf } from './liquidity.ts'

const CREATED_MS = Date.UTC(2025, 10, 21, 21, 46, 22)

/** The five-minute markets of a coin, with the sums of those that are listed. */
export function createSeries(venue: PredictionVenue) {
  const made = new Map<Coin, Series>()
  let madeMs: number | undefined
  const of = (coin: Coin): Series => {
    // A page names the same series many times.
    if (madeMs !== venue.nowMs()) made.clear()
    madeMs = venue.nowMs()
    const series = made.get(coin) ?? toSeries(coin, venue)
    made.set(coin, series)
    return series
  }
  return { of, all: () => COINS.map(of) }
}
export type SeriesList = ReturnType<typeof createSeries>
export type Series = ReturnType<typeof toSeries>

function toSeries(coin: Coin, venue: PredictionVenue) {
  const markets = venue.markets().filter(({ series }) => series?.coin === coin)
  const sum = (of: (market: VenueMarket) => number) => markets.reduce((total, each) => total + of(each), 0)
  const slug = `${coin.toLowerCase()}-up-or-down-5m`
  return {
    id: coin === 'BTC' ? '10684' : numericId(slug),
    ticker: slug,
    slug,
    title: `${coin} Up or Down 5m`,
    seriesType: 'single',
    recurrence: '5m',
    active: true,
    closed: false,
    archived: false,
    featured: false,
    restricted: true,
    createdAt: microText(CREATED_MS),
    updatedAt: microText(venue.nowMs()),
    volume24hr: toAmount(sum(({ volume24hE6 }) => volume24hE6)),
    volume: toAmount(sum(({ volumeE6 }) => volumeE6)),
    liquidity: Math.round(sum(({ tokenIds }) => liquidityOf(venue.book(tokenIds[0]))) * 1e5) / 1e5,
    commentCount: 0,
  }
}
