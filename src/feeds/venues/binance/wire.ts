import { COINS, type Coin } from '../../../core/coin.ts'
import { findFinite, findPositive } from '../../../core/finite.ts'
import type { Kline, Trade } from '../../events.ts'
import { isSaneTime } from '../../sane-time.ts'
import { findId, isRecord, isWireLevels, malformed, PASS, type WireVerdict } from '../../wire-verdict.ts'

// Formats: developers.binance.com, "Web Socket Streams" and "Market Data endpoints" of the spot API.

export function binanceSymbolOf(coin: Coin): string {
  return `${coin}USDT`
}

/** A trade as the aggTrade stream and /api/v3/aggTrades write it; undefined when any field is off. */
export function findBinanceTrade(coin: Coin, wire: unknown, nowMs: number): Trade | undefined {
  if (!isRecord(wire) || typeof wire.m !== 'boolean') return undefined
  const id = findId(wire.a)
  const price = findPositive(wire.p)
  const size = findPositive(wire.q)
  const atMs = findId(wire.T)
  const first = findId(wire.f)
  const last = findId(wire.l)
  if (id === undefined || price === undefined || size === undefined || atMs === undefined) return undefined
  if (first === undefined || last === undefined || last < first || !isSaneTime(atMs, nowMs)) return undefined
  // `m`: the buyer was the maker, so the seller took.
  return {
    venue: 'binance',
    coin,
    id,
    price,
    size,
    side: wire.m ? 'sell' : 'buy',
    fills: last - first + 1,
    atMs,
  }
}

/** Whether ccxt may see this message. */
export function judgeBinance(message: unknown, nowMs: number): WireVerdict {
  if (!isRecord(message)) return malformed()
  if ('id' in message || 'error' in message) return PASS
  const coin = assetBySymbol.get(String(message.s))
  if (message.e === 'aggTrade') {
    return coin && findBinanceTrade(coin, message, nowMs) ? PASS : malformed('trades', coin)
  }
  if (message.e === 'depthUpdate') return coin && isDepthUpdate(message) ? PASS : malformed('book', coin)
  return malformed(undefined, coin)
}

/** A row of /api/v3/klines. */
export function findBinanceKline(coin: Coin, row: unknown): Kline | undefined {
  if (!Array.isArray(row)) return undefined
  const [openMs, open, high, low, close] = [findId(row[0]), ...row.slice(1, 5).map(findPositive)]
  const [volume, trades, takerBuyVolume] = [findFinite(row[5]), findId(row[8]), findFinite(row[9])]
  if (openMs === undefined || !open || !high || !low || !close || volume === undefined) return undefined
  return { venue: 'binance', coin, openMs, open, high, low, close, volume, takerBuyVolume, trades }
}

const assetBySymbol: ReadonlyMap<string, Coin> = new Map(COINS.map((coin) => [binanceSymbolOf(coin), coin]))

function isDepthUpdate(message: Readonly<Record<string, unknown>>): boolean {
  const first = findId(message.U)
  const last = findId(message.u)
  if (first === undefined || last === undefined || last < first || findId(message.E) === undefined)
    return false
  return isWireLevels(message.b) && isWireLevels(message.a)
}
