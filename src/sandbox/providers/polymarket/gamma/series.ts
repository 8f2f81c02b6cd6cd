import { COINS, type Coin } from '../../../../core/coin.ts'
import { microText } from '../wire-time.ts'
import { numericId } from './describe.ts'

const CREATED_MS = Date.UTC(2025, 10, 21, 21, 46, 22)

/** The five-minute markets of a coin. */
export function toSeries(coin: Coin, nowMs: number) {
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
    updatedAt: microText(nowMs),
    volume24hr: 0,
    volume: 0,
    liquidity: 0,
    commentCount: 0,
  }
}

export const listSeries = (nowMs: number) => COINS.map((coin) => toSeries(coin, nowMs))
