import { COINS, type Coin, findCoin } from '../../../core/coin.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../core/time/time.ts'
import type { VenueFunding } from '../../market/perpetual-venues.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'
import { ok, type Read, type Reply, wholeNumber } from '../reply.ts'

/** What a contract holds in coins. */
export const CONTRACT_COINS: Readonly<Record<Coin, number>> = { BTC: 0.01, ETH: 0.1, SOL: 1, XRP: 100 }
const PERIODS_MS: Readonly<Record<string, number>> = { '5m': 5 * MINUTE_MS, '1H': HOUR_MS }
const USUAL_ROWS = 100
const MAX_ROWS = 400
const API = '/api/v5/'

/** OKX answers 200 to most of what it refuses; `code` says whether it went well. */
export function createOkxRest(market: SimulatedMarket): Read {
  return (path, query) => {
    const read = path.startsWith(API) ? READS[path.slice(API.length)] : undefined
    if (!read) return undefined
    const id = query.get('instId')
    const coin = id?.endsWith('-USDT-SWAP') ? findCoin(id.slice(0, -'-USDT-SWAP'.length)) : undefined
    if (id !== null && id !== 'ANY' && !coin) return reply([], '51001', "Instrument ID doesn't exist.")
    return reply(read(market, query, coin))
  }
}

const reply = (data: unknown, code = '0', msg = ''): Reply => ok({ code, data, msg })

type ReadRows = (market: SimulatedMarket, query: URLSearchParams, coin: Coin | undefined) => unknown
const of = (market: SimulatedMarket, coin: Coin): VenueFunding =>
  market.perpetualVenues.at('okx', coin, market.nowMs())
const nameOf = (coin: Coin) => ({ instId: `${coin}-USDT-SWAP`, instType: 'SWAP' })
const each = (coin: Coin | undefined, make: (coin: Coin) => unknown) => (coin ? [coin] : COINS).map(make)

const READS: Readonly<Record<string, ReadRows>> = {
  'public/funding-rate': (market, _, coin) => each(coin, (one) => fundingOf(market, one)),
  'public/open-interest': (market, _, coin) =>
    each(coin, (one) => {
      const { openInterest, markPrice } = of(market, one)
      return {
        ...nameOf(one),
        oi: (openInterest / CONTRACT_COINS[one]).toFixed(4),
        oiCcy: openInterest.toFixed(6),
        oiUsd: (openInterest * markPrice).toFixed(4),
        ts: String(market.nowMs()),
      }
    }),
  'public/mark-price': (market, _, coin) =>
    each(coin, (one) => ({
      ...nameOf(one),
      markPx: priceText(market, one, of(market, one).markPrice),
      ts: String(market.nowMs()),
    })),
  'market/tickers': (market, _, coin) => each(coin, (one) => tickerOf(market, one)),
  'public/funding-rate-history': (market, query, coin = 'BTC') =>
    rows(market.nowMs(), market.perpetualVenues.intervalMs('okx'), query, (atMs) => {
      const rate = market.perpetualVenues.settled('okx', coin, atMs).toFixed(10)
      return {
        formulaType: 'withRate',
        fundingRate: rate,
        fundingTime: String(atMs),
        ...nameOf(coin),
        method: 'current_period',
        realizedRate: rate,
      }
    }),
  'rubik/stat/contracts/open-interest-history': (market, query, coin = 'BTC') =>
    rows(market.nowMs(), PERIODS_MS[query.get('period') ?? '5m'] ?? HOUR_MS, query, (atMs) => {
      const { openInterest, markPrice } = market.perpetualVenues.at('okx', coin, atMs)
      return [
        String(atMs),
        (openInterest / CONTRACT_COINS[coin]).toFixed(4),
        openInterest.toFixed(6),
        (openInterest * markPrice).toFixed(4),
      ]
    }),
}

/** Newest first, at whole multiples of `everyMs`. */
function rows<T>(nowMs: number, everyMs: number, query: URLSearchParams, make: (atMs: number) => T): T[] {
  const count = Math.min(wholeNumber(query, 'limit', USUAL_ROWS) ?? USUAL_ROWS, MAX_ROWS)
  const lastMs = Math.floor(nowMs / everyMs) * everyMs
  return Array.from({ length: count }, (_, index) => make(lastMs - index * everyMs))
}

/** `fundingTime` is the coming settlement, `nextFundingTime` the one after it. */
function fundingOf(market: SimulatedMarket, coin: Coin) {
  const { rate, nextFundingMs, atMs, markPrice, indexPrice } = of(market, coin)
  const intervalMs = market.perpetualVenues.intervalMs('okx')
  return {
    formulaType: 'withRate',
    fundingRate: rate.toFixed(10),
    fundingTime: String(nextFundingMs),
    ...nameOf(coin),
    maxFundingRate: '0.00375',
    method: 'current_period',
    minFundingRate: '-0.00375',
    nextFundingRate: '',
    nextFundingTime: String(nextFundingMs + intervalMs),
    premium: (markPrice / indexPrice - 1).toFixed(10),
    settFundingRate: market.perpetualVenues.settled('okx', coin, nextFundingMs - intervalMs).toFixed(10),
    settState: 'settled',
    ts: String(atMs),
  }
}

function tickerOf(market: SimulatedMarket, coin: Coin) {
  const { markPrice, volume24hUsd } = of(market, coin)
  const openPrice24h = market.perpetual.at(coin, market.nowMs() - DAY_MS).markPrice
  const coins = volume24hUsd / markPrice
  return {
    ...nameOf(coin),
    last: priceText(market, coin, markPrice),
    open24h: priceText(market, coin, openPrice24h),
    vol24h: (coins / CONTRACT_COINS[coin]).toFixed(2),
    volCcy24h: coins.toFixed(4),
    ts: String(market.nowMs()),
  }
}

const priceText = (market: SimulatedMarket, coin: Coin, price: number) =>
  price.toFixed(market.instrument('binance', coin).priceDecimals)
