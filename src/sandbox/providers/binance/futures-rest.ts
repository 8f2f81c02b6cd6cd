import { COINS, type Coin } from '../../../core/coin.ts'
import { FUNDING_MS } from '../../market/perpetual.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'
import { ok, type Read, wholeNumber } from '../reply.ts'
import { quoteText } from './format.ts'
import { futuresExchangeInfo } from './info.ts'
import { findBinanceCoin, INVALID_SYMBOL, MISSING_SYMBOL } from './rest.ts'

const DEFAULT_FUNDINGS = 100
const MAX_FUNDINGS = 1000

/** Binance's USD-M futures addresses below `/fapi/v1/`. */
export function createBinanceFuturesRest(market: SimulatedMarket): Read {
  return (path, query) => {
    if (path === 'ping') return ok({})
    if (path === 'time') return ok({ serverTime: market.nowMs() })
    if (path === 'exchangeInfo') return ok(futuresExchangeInfo(market))
    const symbol = query.get('symbol')
    const coin = findBinanceCoin(symbol)
    if (symbol !== null && !coin) return INVALID_SYMBOL
    if (path === 'premiumIndex')
      return ok(coin ? premiumIndex(market, coin) : COINS.map((each) => premiumIndex(market, each)))
    if (path === 'openInterest') return coin ? ok(openInterest(market, coin)) : MISSING_SYMBOL
    if (path === 'fundingRate') return ok(fundingRates(market, coin ?? 'BTC', query))
    return undefined
  }
}

function premiumIndex(market: SimulatedMarket, coin: Coin) {
  const funding = market.perpetual.at(coin, market.nowMs())
  return {
    symbol: market.instrument('binance', coin).symbol,
    markPrice: quoteText(funding.markPrice),
    indexPrice: quoteText(funding.indexPrice),
    estimatedSettlePrice: quoteText(funding.indexPrice),
    lastFundingRate: quoteText(funding.rate),
    interestRate: '0.00010000',
    nextFundingTime: funding.nextFundingMs,
    time: funding.atMs,
  }
}

function openInterest(market: SimulatedMarket, coin: Coin) {
  const funding = market.perpetual.at(coin, market.nowMs())
  return {
    symbol: market.instrument('binance', coin).symbol,
    openInterest: funding.openInterest.toFixed(3),
    time: funding.atMs,
  }
}

/** Settled rates, oldest first; a malformed bound is ignored. */
function fundingRates(market: SimulatedMarket, coin: Coin, query: URLSearchParams) {
  const count = Math.min(wholeNumber(query, 'limit', DEFAULT_FUNDINGS) ?? DEFAULT_FUNDINGS, MAX_FUNDINGS)
  const endMs = Math.min(wholeNumber(query, 'endTime', market.nowMs()) ?? market.nowMs(), market.nowMs())
  const lastMs = Math.floor(endMs / FUNDING_MS) * FUNDING_MS
  const earliestMs = Math.ceil(market.historyFromMs() / FUNDING_MS) * FUNDING_MS
  const startMs = wholeNumber(query, 'startTime', null) ?? lastMs - (count - 1) * FUNDING_MS
  const firstMs = Math.max(Math.ceil(startMs / FUNDING_MS) * FUNDING_MS, earliestMs)
  const rates: unknown[] = []
  for (let atMs = firstMs; atMs <= lastMs && rates.length < count; atMs += FUNDING_MS) {
    const { rate, markPrice } = market.perpetual.settled(coin, atMs)
    rates.push({
      symbol: market.instrument('binance', coin).symbol,
      fundingTime: atMs,
      fundingRate: quoteText(rate),
      markPrice: quoteText(markPrice),
      rateType: 'Regular',
    })
  }
  return rates
}
