import type { Coin } from '../../../core/coin.ts'
import { decimalText, type Instrument } from '../../market/instrument.ts'
import type { SimBookDiff, SimCandle, SimLevel, SimTrade } from '../../market/sim-events.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'

const SIZE_DECIMALS = 8

export const priceText = (instrument: Instrument, ticks: number) =>
  decimalText(ticks, instrument.priceDecimals)
export const sizeText = (instrument: Instrument, lots: number) =>
  decimalText(lots, instrument.sizeDecimals, SIZE_DECIMALS)
/** The venue writes microseconds; the simulator counts whole milliseconds. */
export const timeText = (atMs: number) => new Date(atMs).toISOString().replace('Z', '000Z')

/** The update id grows with every change of the book and the trade id with every trade, so their sum grows with both. */
export function sequenceOf(market: SimulatedMarket, coin: Coin): number {
  return market.book('coinbase', coin).updateId + (market.trades('coinbase', coin).newest?.id ?? 0)
}

/** Coinbase names the side of the order that was resting. */
const makerSide = (trade: SimTrade) => (trade.side === 'buy' ? 'sell' : 'buy')

export function toMatch(
  instrument: Instrument,
  trade: SimTrade,
  type: 'match' | 'last_match',
  sequence: number,
) {
  return {
    type,
    trade_id: trade.id,
    maker_order_id: orderId(trade.id, 1),
    taker_order_id: orderId(trade.id, 2),
    side: makerSide(trade),
    size: sizeText(instrument, trade.lots),
    price: priceText(instrument, trade.priceTicks),
    product_id: instrument.symbol,
    sequence,
    time: timeText(trade.atMs),
  }
}

export function toRestTrade(instrument: Instrument, trade: SimTrade) {
  return {
    trade_id: trade.id,
    side: makerSide(trade),
    size: sizeText(instrument, trade.lots),
    price: priceText(instrument, trade.priceTicks),
    time: timeText(trade.atMs),
  }
}

export const levelTexts = (instrument: Instrument, levels: readonly SimLevel[]) =>
  levels.map(([ticks, lots]) => [priceText(instrument, ticks), sizeText(instrument, lots)])

export function toL2Update(instrument: Instrument, diff: SimBookDiff) {
  const changes = (side: 'buy' | 'sell', levels: readonly SimLevel[]) =>
    levelTexts(instrument, levels).map(([price, size]) => [side, price, size])
  return {
    type: 'l2update',
    product_id: instrument.symbol,
    changes: [...changes('buy', diff.bids), ...changes('sell', diff.asks)],
    time: timeText(diff.atMs),
  }
}

export function toTicker(market: SimulatedMarket, trade: SimTrade, day: SimCandle, sequence: number) {
  const instrument = market.instrument('coinbase', trade.coin)
  const book = market.book('coinbase', trade.coin)
  const [bid = [0, 0], ask = [0, 0]] = [book.bids[0], book.asks[0]]
  return {
    type: 'ticker',
    sequence,
    product_id: instrument.symbol,
    price: priceText(instrument, trade.priceTicks),
    open_24h: priceText(instrument, day.openTicks),
    volume_24h: sizeText(instrument, day.lots),
    low_24h: priceText(instrument, day.lowTicks),
    high_24h: priceText(instrument, day.highTicks),
    volume_30d: sizeText(instrument, day.lots * 30),
    best_bid: priceText(instrument, bid[0]),
    best_bid_size: sizeText(instrument, bid[1]),
    best_ask: priceText(instrument, ask[0]),
    best_ask_size: sizeText(instrument, ask[1]),
    // Unlike in a match, the ticker's side is the aggressor's.
    side: trade.side,
    time: timeText(trade.atMs),
    trade_id: trade.id,
    last_size: sizeText(instrument, trade.lots),
  }
}

/** A made-up order id in the venue's shape; nobody can look it up. */
function orderId(tradeId: number, role: number): string {
  const digits = tradeId.toString(16).padStart(12, '0').slice(-12)
  return `00000000-0000-4000-800${role}-${digits}`
}
