import type { Coin } from '../../core/coin.ts'
import type { Level } from '../events.ts'
import { BOOK_LEVELS, type RawBook } from './venue-client.ts'

/** The market entry ccxt would have loaded, as far as streams read it: saves a multi-megabyte download at start. */
export function ccxtMarketOf(coin: Coin, quote: 'USDT' | 'USD', id: string) {
  return {
    id,
    lowercaseId: id.toLowerCase(),
    symbol: `${coin}/${quote}`,
    base: coin,
    quote,
    baseId: coin,
    quoteId: quote,
    type: 'spot',
    spot: true,
    margin: false,
    swap: false,
    future: false,
    option: false,
    contract: false,
    active: true,
    precision: {},
    limits: {},
    info: {},
  }
}

type CcxtSide = ArrayLike<readonly (number | undefined)[]>

/** Copies the best levels out of ccxt's living book. */
export function toRawBook(book: { bids: CcxtSide; asks: CcxtSide; timestamp?: number | undefined }): RawBook {
  return { bids: topOf(book.bids), asks: topOf(book.asks), atMs: book.timestamp }
}

function topOf(side: CcxtSide): Level[] {
  const levels: Level[] = []
  for (let at = 0; at < Math.min(side.length, BOOK_LEVELS); at++) {
    const level = side[at]
    levels.push([level?.[0] ?? Number.NaN, level?.[1] ?? Number.NaN])
  }
  return levels
}
