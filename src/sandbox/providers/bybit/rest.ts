import { COINS, type Coin, findCoin } from '../../../core/coin.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../core/time/time.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'
import { ok, type Read, type Reply, wholeNumber } from '../reply.ts'

const INTERVALS_MS: Readonly<Record<string, number>> = {
  '5min': 5 * MINUTE_MS,
  '1h': HOUR_MS,
  '4h': 4 * HOUR_MS,
}
const USUAL_ROWS = 50
const MAX_ROWS = 200
/** Bybit counts both sides of a position. */
const SIDES = 2

/** Bybit answers 200 to everything; `retCode` says whether it went well. */
export function createBybitRest(market: SimulatedMarket): Read {
  const reply = (result: unknown): Reply =>
    ok({ retCode: 0, retMsg: 'OK', result, retExtInfo: {}, time: market.nowMs() })
  const refuse = (retCode: number, retMsg: string): Reply =>
    ok({ retCode, retMsg, result: {}, retExtInfo: {}, time: market.nowMs() })

  return (path, query) => {
    const read = READS[path]
    if (!read) return undefined
    if (query.get('category') !== 'linear') return refuse(10001, 'params error: Category is invalid')
    const symbol = query.get('symbol')
    const coin = symbol?.endsWith('USDT') ? findCoin(symbol.slice(0, -4)) : undefined
    if (symbol !== null && !coin) return refuse(10001, 'params error: symbol invalid')
    const result = read(market, query, coin)
    return result ? reply(result) : refuse(10001, 'params error: symbol required')
  }
}

type ReadResult = (market: SimulatedMarket, query: URLSearchParams, coin: Coin | undefined) => unknown

const READS: Readonly<Record<string, ReadResult>> = {
  '/v5/market/tickers': (market, _, coin) => ({
    category: 'linear',
    list: (coin ? [coin] : COINS).map((each) => tickerOf(market, each)),
  }),
  '/v5/market/funding/history': (market, query, coin) =>
    coin && {
      category: 'linear',
      list: rows(market.nowMs(), market.perpetualVenues.intervalMs('bybit'), query, (atMs) => ({
        symbol: `${coin}USDT`,
        fundingRate: market.perpetualVenues.settled('bybit', coin, atMs).toFixed(8),
        fundingRateTimestamp: String(atMs),
      })),
    },
  '/v5/market/open-interest'(market, query, coin) {
    const everyMs = INTERVALS_MS[query.get('intervalTime') ?? '']
    if (!coin || everyMs === undefined) return undefined
    const list = rows(market.nowMs(), everyMs, query, (atMs) => {
      const openInterest = market.perpetualVenues.openInterest('bybit', coin, atMs)
      return {
        openInterest: (openInterest * SIDES).toFixed(8),
        singleOpenInterest: openInterest.toFixed(3),
        timestamp: String(atMs),
      }
    })
    return { symbol: `${coin}USDT`, category: 'linear', list, nextPageCursor: '' }
  },
}

/** Newest first, at whole multiples of `everyMs`. */
function rows<T>(nowMs: number, everyMs: number, query: URLSearchParams, make: (atMs: number) => T): T[] {
  const count = Math.min(wholeNumber(query, 'limit', USUAL_ROWS) ?? USUAL_ROWS, MAX_ROWS)
  const lastMs = Math.floor(nowMs / everyMs) * everyMs
  return Array.from({ length: count }, (_, index) => make(lastMs - index * everyMs))
}

function tickerOf(market: SimulatedMarket, coin: Coin) {
  const found = market.perpetualVenues.at('bybit', coin, market.nowMs())
  const { markPrice, openInterest } = found
  const openPrice24h = market.perpetual.at(coin, market.nowMs() - DAY_MS).markPrice
  const text = (price: number) => price.toFixed(market.instrument('binance', coin).priceDecimals)
  return {
    symbol: `${coin}USDT`,
    lastPrice: text(markPrice),
    indexPrice: text(found.indexPrice),
    markPrice: text(markPrice),
    prevPrice24h: text(openPrice24h),
    price24hPcnt: (markPrice / openPrice24h - 1).toFixed(6),
    highPrice24h: text(Math.max(markPrice, openPrice24h)),
    lowPrice24h: text(Math.min(markPrice, openPrice24h)),
    openInterest: (openInterest * SIDES).toFixed(3),
    openInterestValue: (openInterest * SIDES * markPrice).toFixed(2),
    singleOpenInterest: openInterest.toFixed(3),
    singleOpenInterestValue: (openInterest * markPrice).toFixed(2),
    turnover24h: found.volume24hUsd.toFixed(4),
    volume24h: (found.volume24hUsd / markPrice).toFixed(3),
    fundingRate: found.rate.toFixed(8),
    nextFundingTime: String(found.nextFundingMs),
    fundingIntervalHour: String(market.perpetualVenues.intervalMs('bybit') / HOUR_MS),
    bid1Price: text(markPrice * (1 - 1e-5)),
    ask1Price: text(markPrice * (1 + 1e-5)),
    deliveryTime: '0',
  }
}
