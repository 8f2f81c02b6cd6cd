import type { Coin } from '../../../core/coin.ts'
import { toSize } from '../../market/instrument.ts'
import type { SimCandle } from '../../market/sim-events.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'
import { priceText, quoteText, sizeText, touchTexts } from './format.ts'

/** The last 24 hours of a pair in the shape of `/api/v3/ticker/24hr`. */
export function toTicker24h(market: SimulatedMarket, coin: Coin, day: SimCandle) {
  const instrument = market.instrument('binance', coin)
  const newest = market.trades('binance', coin).newest
  const size = toSize(instrument, day.lots)
  const percent = (100 * (day.closeTicks - day.openTicks)) / day.openTicks
  return {
    symbol: instrument.symbol,
    priceChange: priceText(instrument, day.closeTicks - day.openTicks),
    priceChangePercent: percent.toFixed(3),
    weightedAvgPrice: quoteText(day.quote / size),
    prevClosePrice: priceText(instrument, day.openTicks),
    lastPrice: priceText(instrument, day.closeTicks),
    lastQty: sizeText(instrument, newest?.lots ?? 0),
    ...touchTexts(instrument, market.book('binance', coin)),
    openPrice: priceText(instrument, day.openTicks),
    highPrice: priceText(instrument, day.highTicks),
    lowPrice: priceText(instrument, day.lowTicks),
    volume: sizeText(instrument, day.lots),
    quoteVolume: quoteText(day.quote),
    openTime: day.openMs,
    closeTime: market.nowMs(),
    firstId: day.firstTradeId,
    lastId: day.lastTradeId,
    count: day.trades,
  }
}

/** The same in the shape of the `@ticker` stream. */
export function toTickerEvent(market: SimulatedMarket, coin: Coin, day: SimCandle) {
  const ticker = toTicker24h(market, coin, day)
  return {
    e: '24hrTicker',
    E: ticker.closeTime,
    s: ticker.symbol,
    p: ticker.priceChange,
    P: ticker.priceChangePercent,
    w: ticker.weightedAvgPrice,
    x: ticker.prevClosePrice,
    c: ticker.lastPrice,
    Q: ticker.lastQty,
    b: ticker.bidPrice,
    B: ticker.bidQty,
    a: ticker.askPrice,
    A: ticker.askQty,
    o: ticker.openPrice,
    h: ticker.highPrice,
    l: ticker.lowPrice,
    v: ticker.volume,
    q: ticker.quoteVolume,
    O: ticker.openTime,
    C: ticker.closeTime,
    F: ticker.firstId,
    L: ticker.lastId,
    n: ticker.count,
  }
}
