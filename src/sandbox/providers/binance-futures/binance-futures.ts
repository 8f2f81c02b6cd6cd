import { COINS, type Coin } from '../../../core/coin.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../core/time/time.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'
import { quoteText, toForceOrderEvent, toMarkPriceEvent } from '../binance/format.ts'
import { createBinanceFuturesRest } from '../binance/futures-rest.ts'
import { findBinanceCoin, INVALID_SYMBOL, MISSING_SYMBOL } from '../binance/rest.ts'
import { acceptBinance } from '../binance/socket.ts'
import type { ProviderServer } from '../provider-server.ts'
import { ok, type Reply, readOnly, wholeNumber } from '../reply.ts'
import { createTopics, type Topics } from '../topics.ts'

const API = '/fapi/v1/'
const PERIODS_MS: Readonly<Record<string, number>> = { '5m': 5 * MINUTE_MS, '1h': HOUR_MS, '4h': 4 * HOUR_MS }
const MAX_PERIODS = 500
const USUAL_PERIODS = 30
const SLOW_MARK_EVERY_MS = 3_000
const SOCKET_PATH = /^\/(public|market)\/(ws|stream)(\/|$)/

/** Binance's USD-M futures at their own addresses. */
export function createBinanceFutures(market: SimulatedMarket): ProviderServer {
  const topics = createTopics()
  const read = createBinanceFuturesRest(market)
  return {
    rest: readOnly((path, query) => {
      if (path === '/futures/data/openInterestHist') return openInterestHistory(market, query)
      if (path === `${API}fundingInfo`) return ok(FUNDING_INFO)
      if (path === `${API}ticker/24hr`) return dayTicker(market, query)
      return path.startsWith(API) ? read(path.slice(API.length), query) : undefined
    }),
    socketAt: (path) =>
      SOCKET_PATH.test(path) ? (peer, url) => acceptBinance(peer, url, path, topics) : undefined,
    pingEveryMs: 180_000,
    close: publish(market, topics),
  }
}

/** Lists only contracts whose terms differ from the usual ones; none of ours does. */
const FUNDING_INFO = [
  {
    symbol: 'LPTUSDT',
    adjustedFundingRateCap: '0.02000000',
    adjustedFundingRateFloor: '-0.02000000',
    fundingIntervalHours: 4,
    disclaimer: false,
  },
]

function dayTicker(market: SimulatedMarket, query: URLSearchParams): Reply {
  const symbol = query.get('symbol')
  const coin = findBinanceCoin(symbol)
  if (symbol !== null && !coin) return INVALID_SYMBOL
  return ok(coin ? tickerOf(market, coin) : COINS.map((each) => tickerOf(market, each)))
}

function tickerOf(market: SimulatedMarket, coin: Coin) {
  const nowMs = market.nowMs()
  const { markPrice, volume24hUsd } = market.perpetualVenues.at('binance', coin, nowMs)
  const openPrice24h = market.perpetual.at(coin, nowMs - DAY_MS).markPrice
  const change = markPrice - openPrice24h
  const { symbol, priceDecimals } = market.instrument('binance', coin)
  const text = (price: number) => price.toFixed(priceDecimals)
  return {
    symbol,
    priceChange: text(change),
    priceChangePercent: ((change / openPrice24h) * 100).toFixed(3),
    weightedAvgPrice: text((markPrice + openPrice24h) / 2),
    lastPrice: text(markPrice),
    lastQty: '0.002',
    openPrice: text(openPrice24h),
    highPrice: text(Math.max(markPrice, openPrice24h)),
    lowPrice: text(Math.min(markPrice, openPrice24h)),
    volume: (volume24hUsd / markPrice).toFixed(3),
    quoteVolume: volume24hUsd.toFixed(2),
    openTime: nowMs - DAY_MS,
    closeTime: nowMs,
    firstId: 1,
    lastId: Math.floor(nowMs / 1000),
    count: Math.floor(nowMs / 1000),
  }
}

/** Oldest first, at whole periods. */
function openInterestHistory(market: SimulatedMarket, query: URLSearchParams): Reply {
  const coin = findBinanceCoin(query.get('symbol'))
  const periodMs = PERIODS_MS[query.get('period') ?? '']
  if (!coin || periodMs === undefined) return coin ? MISSING_SYMBOL : INVALID_SYMBOL
  const count = Math.min(wholeNumber(query, 'limit', USUAL_PERIODS) ?? USUAL_PERIODS, MAX_PERIODS)
  const lastMs = Math.floor(market.nowMs() / periodMs) * periodMs
  return ok(
    Array.from({ length: count }, (_, index) => {
      const atMs = lastMs - (count - 1 - index) * periodMs
      const { openInterest, markPrice } = market.perpetualVenues.at('binance', coin, atMs)
      return {
        symbol: `${coin}USDT`,
        sumOpenInterest: quoteText(openInterest),
        sumOpenInterestValue: quoteText(openInterest * markPrice),
        CMCCirculatingSupply: '20081181.00000000',
        timestamp: atMs,
      }
    }),
  )
}

function publish(market: SimulatedMarket, topics: Topics): () => void {
  const tell = (stream: string, makeEvent: () => unknown) =>
    topics.publish(stream, () => JSON.stringify(makeEvent()))
  const streamOf = (coin: Coin, kind: string) => `${coin.toLowerCase()}usdt@${kind}`
  const stops = [
    market.onFunding((funding) => {
      const mark = () => toMarkPriceEvent(market.instrument('binance', funding.coin).symbol, funding)
      tell(streamOf(funding.coin, 'markPrice@1s'), mark)
      if (funding.atMs % SLOW_MARK_EVERY_MS === 0) tell(streamOf(funding.coin, 'markPrice'), mark)
    }),
    market.onLiquidation((forced) => {
      const order = () => toForceOrderEvent(market.instrument('binance', forced.coin), forced)
      tell(streamOf(forced.coin, 'forceOrder'), order)
      tell('!forceOrder@arr', order)
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
