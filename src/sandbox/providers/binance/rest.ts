import { COINS, type Coin } from '../../../core/coin.ts'
import { MINUTE_MS } from '../../../core/time/time.ts'
import { createDayStats } from '../../market/candles/day-stats.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'
import { json, ok, type Read, type Reply, wholeNumber } from '../reply.ts'
import { levelTexts, priceText, toAggTrade, toKline, toTrades, touchTexts } from './format.ts'
import { binanceExchangeInfo } from './info.ts'
import { toTicker24h } from './ticker.ts'

/** Binance refuses 0; here it counts as 1. */
const atMost = (limit: number, max: number) => Math.max(1, Math.min(limit, max))

const fail = (code: number, msg: string) => json(400, { code, msg })
export const INVALID_SYMBOL = fail(-1121, 'Invalid symbol.')
const ILLEGAL_NUMBER = fail(-1100, "Illegal characters found in a parameter; legal range is '^[0-9]{1,20}$'.")
export const MISSING_SYMBOL = fail(
  -1102,
  "Mandatory parameter 'symbol' was not sent, was empty/null, or malformed.",
)

const DEFAULT_LIMIT = 500
const MAX_LIMIT = 1000
const DEFAULT_DEPTH = 100
const MAX_DEPTH = 5000
const INTERVAL_MINUTES: ReadonlyMap<string, number> = new Map([
  ['1m', 1],
  ['5m', 5],
  ['15m', 15],
  ['1h', 60],
])

export function findBinanceCoin(symbol: string | null): Coin | undefined {
  return COINS.find((coin) => `${coin}USDT` === symbol)
}

/** Binance's spot REST addresses below `/api/v3/`. */
export function createBinanceRest(market: SimulatedMarket): Read {
  const dayStats = createDayStats(market)
  const ticker24h = (coin: Coin) => toTicker24h(market, coin, dayStats('binance', coin))
  const price = (coin: Coin) => {
    const instrument = market.instrument('binance', coin)
    const ticks = market.trades('binance', coin).newest?.priceTicks ?? 0
    return { symbol: instrument.symbol, price: priceText(instrument, ticks) }
  }
  const touch = (coin: Coin) => {
    const instrument = market.instrument('binance', coin)
    return { symbol: instrument.symbol, ...touchTexts(instrument, market.book('binance', coin)) }
  }
  return (path, query) => {
    if (path === 'ping') return ok({})
    if (path === 'time') return ok({ serverTime: market.nowMs() })
    if (path === 'exchangeInfo') return ok(binanceExchangeInfo(market))
    if (path === 'ticker/24hr') return forSymbols(query, ticker24h)
    if (path === 'ticker/price') return forSymbols(query, price)
    if (path === 'ticker/bookTicker') return forSymbols(query, touch)
    const read = READERS.get(path)
    if (!read) return undefined
    const symbol = query.get('symbol')
    if (!symbol) return MISSING_SYMBOL
    const coin = findBinanceCoin(symbol)
    return coin ? read(market, coin, query) : INVALID_SYMBOL
  }
}

/** One symbol, several (`symbols=["A","B"]`) or all: an object for the first, a list for the others. */
function forSymbols(query: URLSearchParams, toBody: (coin: Coin) => unknown): Reply {
  const symbol = query.get('symbol')
  const list = query.get('symbols')
  if (symbol !== null) {
    const coin = findBinanceCoin(symbol)
    return coin ? ok(toBody(coin)) : INVALID_SYMBOL
  }
  if (list === null) return ok(COINS.map(toBody))
  const wanted = list.replace(/[[\]"\s]/g, '').split(',')
  const coins = wanted.map(findBinanceCoin).filter((coin) => coin !== undefined)
  return coins.length === wanted.length ? ok(coins.map(toBody)) : INVALID_SYMBOL
}

type Reader = (market: SimulatedMarket, coin: Coin, query: URLSearchParams) => Reply
const READERS: ReadonlyMap<string, Reader> = new Map([
  ['depth', readDepth],
  ['trades', readTrades],
  ['aggTrades', readAggTrades],
  ['klines', readKlines],
])

function readDepth(market: SimulatedMarket, coin: Coin, query: URLSearchParams): Reply {
  const limit = wholeNumber(query, 'limit', DEFAULT_DEPTH)
  if (limit === undefined) return ILLEGAL_NUMBER
  const count = atMost(limit, MAX_DEPTH)
  const instrument = market.instrument('binance', coin)
  const { updateId, bids, asks } = market.book('binance', coin)
  return ok({
    lastUpdateId: updateId,
    bids: levelTexts(instrument, bids.slice(0, count)),
    asks: levelTexts(instrument, asks.slice(0, count)),
  })
}

function readTrades(market: SimulatedMarket, coin: Coin, query: URLSearchParams): Reply {
  const limit = wholeNumber(query, 'limit', DEFAULT_LIMIT)
  if (limit === undefined) return ILLEGAL_NUMBER
  const count = atMost(limit, MAX_LIMIT)
  const instrument = market.instrument('binance', coin)
  const fills = market
    .trades('binance', coin)
    .last(count)
    .flatMap((trade) => toTrades(instrument, trade))
  return ok(fills.slice(-count))
}

function readAggTrades(market: SimulatedMarket, coin: Coin, query: URLSearchParams): Reply {
  const limit = wholeNumber(query, 'limit', DEFAULT_LIMIT)
  const fromId = wholeNumber(query, 'fromId', null)
  const startMs = wholeNumber(query, 'startTime', null)
  const endMs = wholeNumber(query, 'endTime', null)
  if (limit === undefined || fromId === undefined || startMs === undefined || endMs === undefined)
    return ILLEGAL_NUMBER
  if (fromId !== null && (startMs !== null || endMs !== null))
    return fail(-1128, 'Combination of optional parameters invalid.')
  const count = atMost(limit, MAX_LIMIT)
  const log = market.trades('binance', coin)
  const instrument = market.instrument('binance', coin)
  const found = () => {
    if (fromId !== null) return log.fromId(fromId, count)
    if (startMs === null && endMs === null) return log.last(count)
    return log.between(startMs ?? 0, endMs ?? market.nowMs(), count)
  }
  return ok(found().map((trade) => toAggTrade(instrument, trade)))
}

function readKlines(market: SimulatedMarket, coin: Coin, query: URLSearchParams): Reply {
  const limit = wholeNumber(query, 'limit', DEFAULT_LIMIT)
  const startMs = wholeNumber(query, 'startTime', null)
  const endMs = wholeNumber(query, 'endTime', market.nowMs())
  if (limit === undefined || startMs === undefined || endMs === undefined) return ILLEGAL_NUMBER
  const minutes = INTERVAL_MINUTES.get(query.get('interval') ?? '')
  if (minutes === undefined) return fail(-1120, 'Invalid interval.')
  const count = atMost(limit, MAX_LIMIT)
  const stepMs = minutes * MINUTE_MS
  const lastMs = Math.floor(Math.min(endMs, market.nowMs()) / stepMs) * stepMs
  const wantedMs = startMs === null ? lastMs - (count - 1) * stepMs : Math.ceil(startMs / stepMs) * stepMs
  const firstMs = Math.max(wantedMs, market.historyFromMs())
  const instrument = market.instrument('binance', coin)
  const klines: unknown[] = []
  for (let openMs = firstMs; openMs <= lastMs && klines.length < count; openMs += stepMs)
    klines.push(toKline(instrument, market.candle('binance', coin, openMs, minutes), stepMs))
  return ok(klines)
}
