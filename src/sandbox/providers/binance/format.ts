import { decimalText, type Instrument, toPrice } from '../../market/instrument.ts'
import type {
  SimBook,
  SimBookDiff,
  SimCandle,
  SimFunding,
  SimLevel,
  SimLiquidation,
  SimTrade,
} from '../../market/sim-events.ts'

/** Binance writes every spot price and size with eight decimals. */
const SHOWN_DECIMALS = 8

export const priceText = (instrument: Instrument, ticks: number) =>
  decimalText(ticks, instrument.priceDecimals, SHOWN_DECIMALS)
export const sizeText = (instrument: Instrument, lots: number) =>
  decimalText(lots, instrument.sizeDecimals, SHOWN_DECIMALS)
export const quoteText = (amount: number) => amount.toFixed(SHOWN_DECIMALS)

export const levelTexts = (instrument: Instrument, levels: readonly SimLevel[]) =>
  levels.map(([ticks, lots]) => [priceText(instrument, ticks), sizeText(instrument, lots)])

const lastTradeId = (trade: SimTrade) => trade.firstTradeId + trade.fillLots.length - 1

export function toAggTrade(instrument: Instrument, trade: SimTrade) {
  return {
    a: trade.id,
    p: priceText(instrument, trade.priceTicks),
    q: sizeText(instrument, trade.lots),
    f: trade.firstTradeId,
    l: lastTradeId(trade),
    T: trade.atMs,
    m: trade.side === 'sell',
    M: true,
  }
}

export function toAggTradeEvent(instrument: Instrument, trade: SimTrade) {
  return { e: 'aggTrade', E: trade.atMs, s: instrument.symbol, ...toAggTrade(instrument, trade) }
}

export function toTradeEvents(instrument: Instrument, trade: SimTrade) {
  return trade.fillLots.map((lots, i) => ({
    e: 'trade',
    E: trade.atMs,
    s: instrument.symbol,
    t: trade.firstTradeId + i,
    p: priceText(instrument, trade.priceTicks),
    q: sizeText(instrument, lots),
    T: trade.atMs,
    m: trade.side === 'sell',
    M: true,
  }))
}

/** The fills of a trade as `/api/v3/trades` lists them. */
export function toTrades(instrument: Instrument, trade: SimTrade) {
  return trade.fillLots.map((lots, i) => ({
    id: trade.firstTradeId + i,
    price: priceText(instrument, trade.priceTicks),
    qty: sizeText(instrument, lots),
    quoteQty: quoteText((toPrice(instrument, trade.priceTicks) * lots) / 10 ** instrument.sizeDecimals),
    time: trade.atMs,
    isBuyerMaker: trade.side === 'sell',
    isBestMatch: true,
  }))
}

export function toDepthEvent(instrument: Instrument, diff: SimBookDiff) {
  return {
    e: 'depthUpdate',
    E: diff.atMs,
    s: instrument.symbol,
    U: diff.firstUpdateId,
    u: diff.lastUpdateId,
    b: levelTexts(instrument, diff.bids),
    a: levelTexts(instrument, diff.asks),
  }
}

/** Best bid and ask with their sizes; a simulated book is never empty. */
export function touchTexts(instrument: Instrument, { bids, asks }: SimBook) {
  const [bid = [0, 0], ask = [0, 0]] = [bids[0], asks[0]]
  return {
    bidPrice: priceText(instrument, bid[0]),
    bidQty: sizeText(instrument, bid[1]),
    askPrice: priceText(instrument, ask[0]),
    askQty: sizeText(instrument, ask[1]),
  }
}

export function toBookTickerEvent(instrument: Instrument, book: SimBook) {
  const { bidPrice, bidQty, askPrice, askQty } = touchTexts(instrument, book)
  return { u: book.updateId, s: instrument.symbol, b: bidPrice, B: bidQty, a: askPrice, A: askQty }
}

export function toKline(instrument: Instrument, candle: SimCandle, intervalMs: number) {
  return [
    candle.openMs,
    priceText(instrument, candle.openTicks),
    priceText(instrument, candle.highTicks),
    priceText(instrument, candle.lowTicks),
    priceText(instrument, candle.closeTicks),
    sizeText(instrument, candle.lots),
    candle.openMs + intervalMs - 1,
    quoteText(candle.quote),
    candle.trades,
    sizeText(instrument, candle.takerLots),
    quoteText(candle.takerQuote),
    '0',
  ]
}

export type KlineStream = { interval: string; intervalMs: number; atMs: number; closed: boolean }

export function toKlineEvent(instrument: Instrument, candle: SimCandle, stream: KlineStream) {
  const { symbol } = instrument
  const k = {
    t: candle.openMs,
    T: candle.openMs + stream.intervalMs - 1,
    s: symbol,
    i: stream.interval,
    f: candle.firstTradeId,
    L: candle.lastTradeId,
    o: priceText(instrument, candle.openTicks),
    c: priceText(instrument, candle.closeTicks),
    h: priceText(instrument, candle.highTicks),
    l: priceText(instrument, candle.lowTicks),
    v: sizeText(instrument, candle.lots),
    n: candle.trades,
    x: stream.closed,
    q: quoteText(candle.quote),
    V: sizeText(instrument, candle.takerLots),
    Q: quoteText(candle.takerQuote),
    B: '0',
  }
  return { e: 'kline', E: stream.atMs, s: symbol, k }
}

export function toMarkPriceEvent(symbol: string, funding: SimFunding) {
  return {
    e: 'markPriceUpdate',
    E: funding.atMs,
    s: symbol,
    p: quoteText(funding.markPrice),
    i: quoteText(funding.indexPrice),
    P: quoteText(funding.indexPrice),
    r: quoteText(funding.rate),
    T: funding.nextFundingMs,
    st: 1,
  }
}

export function toForceOrderEvent(instrument: Instrument, forced: SimLiquidation) {
  // Sizes of perpetual contracts have three decimals, XRP's one.
  const size = forced.size.toFixed(Math.min(3, instrument.sizeDecimals))
  const price = forced.price.toFixed(instrument.priceDecimals)
  const order = {
    s: instrument.symbol,
    S: forced.side === 'sell' ? 'SELL' : 'BUY',
    o: 'LIMIT',
    f: 'IOC',
    q: size,
    p: price,
    ap: price,
    X: 'FILLED',
    l: size,
    z: size,
    T: forced.atMs,
  }
  return { e: 'forceOrder', E: forced.atMs, o: order }
}
