import { PROVIDERS } from '../../../config/providers.ts'
import { COINS } from '../../../core/coin.ts'
import { MINUTE_MS } from '../../../core/time/time.ts'
import { decimalText, type Instrument } from '../../market/instrument.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'

/** Binance's `/api/v3/exchangeInfo`, reduced to the fields that clients read. */
export function binanceExchangeInfo(market: SimulatedMarket) {
  return {
    timezone: 'UTC',
    serverTime: market.nowMs(),
    rateLimits: [requestWeight()],
    exchangeFilters: [],
    symbols: COINS.map((coin) => {
      const instrument = market.instrument('binance', coin)
      return {
        symbol: instrument.symbol,
        status: 'TRADING',
        baseAsset: coin,
        baseAssetPrecision: 8,
        quoteAsset: 'USDT',
        quotePrecision: 8,
        quoteAssetPrecision: 8,
        orderTypes: ['LIMIT', 'LIMIT_MAKER', 'MARKET'],
        isSpotTradingAllowed: true,
        isMarginTradingAllowed: false,
        filters: filters(instrument),
        permissions: [],
        permissionSets: [['SPOT']],
      }
    }),
  }
}

/** USD-M futures: one perpetual per spot pair. */
export function futuresExchangeInfo(market: SimulatedMarket) {
  return {
    timezone: 'UTC',
    serverTime: market.nowMs(),
    futuresType: 'U_MARGINED',
    rateLimits: [],
    exchangeFilters: [],
    assets: [],
    symbols: COINS.map((coin) => {
      const instrument = market.instrument('binance', coin)
      return {
        symbol: instrument.symbol,
        pair: instrument.symbol,
        contractType: 'PERPETUAL',
        // The venue's date for contracts that never expire.
        deliveryDate: 4133404800000,
        onboardDate: Date.UTC(2020, 0, 1),
        status: 'TRADING',
        baseAsset: coin,
        quoteAsset: 'USDT',
        marginAsset: 'USDT',
        pricePrecision: instrument.priceDecimals,
        quantityPrecision: 3,
        baseAssetPrecision: 8,
        quotePrecision: 8,
        filters: filters(instrument),
      }
    }),
  }
}

function requestWeight() {
  const { weight, perMs } = PROVIDERS.binance.restLimit
  const interval = { interval: 'MINUTE', intervalNum: perMs / MINUTE_MS }
  return { rateLimitType: 'REQUEST_WEIGHT', ...interval, limit: weight }
}

function filters({ priceDecimals, sizeDecimals }: Instrument) {
  const tickSize = decimalText(1, priceDecimals, 8)
  const stepSize = decimalText(1, sizeDecimals, 8)
  return [
    { filterType: 'PRICE_FILTER', minPrice: tickSize, maxPrice: '1000000.00000000', tickSize },
    { filterType: 'LOT_SIZE', minQty: stepSize, maxQty: '9000000.00000000', stepSize },
    { filterType: 'NOTIONAL', minNotional: '5.00000000', maxNotional: '9000000.00000000' },
  ]
}
